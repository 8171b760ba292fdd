"""Tells the client what is offered for which documents, and again when the settings change."""

import asyncio
import logging
from typing import Any

from lurcher_server.lsp.features import ClientFeatures
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.offers import Feature, languages_of, selector_of
from lurcher_server.lsp.registry import Peer
from lurcher_server.lsp.settings import ServerSettings

log = logging.getLogger(__name__)


class Registering:
    """What the client has registered for us, of the features that it lets us register."""

    def __init__(self, peer: Peer) -> None:
        """Nothing is registered yet."""
        self._peer = peer
        self._held: dict[Feature, dict[str, Any]] = {}
        self._turn = asyncio.Lock()

    async def update(self, features: ClientFeatures, settings: ServerSettings) -> None:
        """Register what is offered now, and take back what no longer is."""
        async with self._turn:
            wanted = wanted_registrations(features, settings)
            gone = [feature for feature, options in self._held.items() if wanted.get(feature) != options]
            if gone:
                # LSP's own misspelling: it is what clients look for.
                taken = [{"id": _id(feature), "method": feature.method} for feature in gone]
                await self._ask("client/unregisterCapability", {"unregisterations": taken})
                self._held = {feature: options for feature, options in self._held.items() if feature not in gone}
            new = {feature: options for feature, options in wanted.items() if feature not in self._held}
            if new:
                listed = [
                    {"id": _id(feature), "method": feature.method, "registerOptions": options}
                    for feature, options in new.items()
                ]
                if await self._ask("client/registerCapability", {"registrations": listed}):
                    self._held |= new

    async def _ask(self, method: str, params: object) -> bool:
        try:
            await self._peer.request(method, params, object)
        except RpcError as error:
            log.warning("the client did not take %s: %s", method, error)
            return False
        return True


def wanted_registrations(features: ClientFeatures, settings: ServerSettings) -> dict[Feature, dict[str, Any]]:
    """What has to be registered, with the options of each."""
    wanted: dict[Feature, dict[str, Any]] = {}
    for feature in Feature:
        languages = languages_of(feature, settings, features.has_other_servers)
        if feature not in features.registers or languages == frozenset():
            continue
        documents = {} if feature is Feature.WORKSPACE_SYMBOL else {"documentSelector": selector_of(languages)}
        wanted[feature] = {**feature.options, **documents}
    return wanted


def _id(feature: Feature) -> str:
    return f"lurcher-{feature.value}"
