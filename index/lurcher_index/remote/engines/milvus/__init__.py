"""The shared index in Milvus, from milvus-lite on one machine to a cluster. The first call loads pymilvus."""

from lurcher_index.remote.engines.milvus.index import MilvusIndex as MilvusIndex
from lurcher_index.remote.engines.milvus.limits import Limits as Limits
