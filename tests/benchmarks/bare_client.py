"""The unit of requests: an aiohttp client that does nothing but send a prompt and parse the reply.

`python bare_client.py URL REQUESTS IN_FLIGHT PROMPT_BYTES` prints the CPU seconds that the requests took, without
start-up and connecting.
"""

import asyncio
import sys
import time
from collections.abc import Iterator

import aiohttp
import orjson

_HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer none"}


async def _ask(session: aiohttp.ClientSession, url: str, prompt: str, numbers: Iterator[int]) -> None:
    for number in numbers:
        body = {"model": "mock", "messages": [{"role": "user", "content": f"{prompt} {number}"}], "max_tokens": 512}
        async with session.post(url, data=orjson.dumps(body), headers=_HEADERS) as reply:
            assert orjson.loads(await reply.read())["choices"]


async def _run(url: str, requests: int, in_flight: int, prompt_bytes: int) -> float:
    prompt = "x" * prompt_bytes
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(count: int) -> None:
            numbers = iter(range(count))
            await asyncio.gather(*(_ask(session, url, prompt, numbers) for _ in range(in_flight)))

        await ask(in_flight)
        before = time.process_time()
        await ask(requests)
        return time.process_time() - before


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(_run(sys.argv[1], *map(int, sys.argv[2:5])))))
