"""The local server's SQLite, where every transaction takes its turn.

Prefect begins most transactions as readers. One that writes later is refused by SQLite if another has written meanwhile
(https://www.sqlite.org/isolation.html): its caller hears 503 and waits for two seconds, often before the first request.
"""

from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext

from prefect.server.database.configurations import AioSqliteConfiguration
from prefect.server.database.dependencies import temporary_database_config
from prefect.settings import PREFECT_API_DATABASE_CONNECTION_URL
from sqlalchemy.ext.asyncio import AsyncSession, AsyncSessionTransaction


class _PatientSqlite(AioSqliteConfiguration):
    """Transactions begin as writers: they wait for the one before them instead of failing beside it."""

    @asynccontextmanager
    async def begin_transaction(
        self, session: AsyncSession, with_for_update: bool = False
    ) -> AsyncGenerator[AsyncSessionTransaction]:
        async with super().begin_transaction(session, with_for_update=True) as transaction:
            yield transaction


def patient_database() -> AbstractContextManager[object]:
    """While the block runs, this process is a server whose SQLite transactions wait for each other."""
    url = PREFECT_API_DATABASE_CONNECTION_URL.value()
    return temporary_database_config(_PatientSqlite(url)) if url.startswith("sqlite") else nullcontext()
