"""A program that plays well enough, until its connection is lost: then it waits for ever.

exec:python deaf.py
"""

from __future__ import annotations

import os
import time
import uuid

import grpc
from qin.v1.play_pb2 import PlaceTileRequest
from qin.v1.play_pb2_grpc import PlayServiceStub
from qin.v1.watch_pb2 import WatchRequest
from qin.v1.watch_pb2_grpc import WatchServiceStub


def play() -> None:
    channel = grpc.insecure_channel(os.environ["QIN_SERVER"])
    table = os.environ["QIN_TABLE"]
    sent = (("authorization", f"Bearer {os.environ['QIN_TOKEN']}"),)
    request = WatchRequest(table_id=table, options=True)
    for response in WatchServiceStub(channel).Watch(request, metadata=sent):
        if any(event.HasField("series_ended") for event in response.events):
            return
        if response.options.options:
            place = PlaceTileRequest(
                request_id=uuid.uuid4().hex,
                table_id=table,
                expected_ply=response.options.ply,
                placement=response.options.options[0].placement,
            )
            PlayServiceStub(channel).PlaceTile(place, metadata=sent)


try:
    play()
except grpc.RpcError:
    time.sleep(3600)
