"""A client in a process of its own that watches a table until it is killed: ADDRESS TABLE TOKEN."""

from __future__ import annotations

import sys
import time

import grpc
from qin.v1 import watch_pb2, watch_pb2_grpc

address, table_id, token = sys.argv[1:]
with grpc.insecure_channel(address) as channel:
    stub = watch_pb2_grpc.WatchServiceStub(channel)
    metadata = (("authorization", f"Bearer {token}"),)
    stream = stub.Watch(watch_pb2.WatchRequest(table_id=table_id), metadata=metadata)
    next(stream)
    sys.stdout.write("watching\n")
    sys.stdout.flush()
    time.sleep(60)
