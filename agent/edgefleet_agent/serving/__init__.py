"""The local inference API: KServe V2 (the Open Inference Protocol, as Triton speaks it) over HTTP and gRPC.

tensors, call, json_codec, config    pure: bytes <-> arrays and requests <-> values; every refusal of hostile input is here
queueing                             pure: which requests run next, and as which batch
pool, execute, statistics            one version of one model: its sessions, their threads, its counts
sequences, ensembles, pictures       engines before others: state between requests, several models, what a picture needs
splits                               which version answers
repository, catalogue                which models there are: folders on disk, and slots lent by the pipelines
server, shared_memory, tracing, log_settings    what the server itself is and does, beside its models
http1, http_door, http_routes, http_calls       HTTP/1.1
generate, tfs_rest, picture_calls    further forms that a call has over HTTP
http2, http2_frames, rpc             HTTP/2, as far as gRPC needs it
grpc_messages, grpc_codec            gRPC's messages and what they mean
grpc_service, grpc_door              its methods, and their listener
metrics                              Prometheus, under Triton's names
"""
