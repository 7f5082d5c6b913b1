"""The local inference API: KServe V2 (the Open Inference Protocol, as Triton speaks it) over HTTP and gRPC.

tensors, call, json_codec, config    pure: bytes <-> arrays and requests <-> values; every refusal of hostile input is here
queueing                             pure: which requests run next, and as which batch
served, instances                    one version of one model: its queue, its threads, its counts
repository, catalogue                which models there are: folders on disk, and slots lent by the pipelines
http1, http_door, http_routes        HTTP/1.1
http2, http2_frames, rpc             HTTP/2, as far as gRPC needs it
grpc_messages, grpc_codec            gRPC's messages and what they mean
grpc_service, grpc_door              its methods, and their listener
metrics                              Prometheus, under Triton's names
"""
