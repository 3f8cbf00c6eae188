"""The address of the Lark bot that `-l` posts to: set LARK_BOT_URL, or write it here in a copy of your own."""

import os

lark_bot_url = os.environ.get("LARK_BOT_URL", "YOUR_WEBHOOK_URL")
