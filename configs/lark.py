"""Address of the Lark bot for `-l`: set LARK_BOT_URL, or write it into your own copy of this file."""

import os

lark_bot_url = os.environ.get("LARK_BOT_URL", "YOUR_WEBHOOK_URL")
