"""The messages of `inference.GRPCInferenceService`: field names and numbers are those of the Open Inference Protocol and its
extensions. The form of the lines is that of `descriptors`.
"""

from __future__ import annotations

from typing import Any

from edgefleet_agent.serving.grpc.descriptors import DescribedFile

PACKAGE = "inference"
SERVICE = f"{PACKAGE}.GRPCInferenceService"

_MODEL_VERSION = "name 1 string, version 2 string"
_DURATIONS = ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss")

_MESSAGES: dict[str, str] = {
    "ServerLiveRequest": "",
    "ServerLiveResponse": "live 1 bool",
    "ServerReadyRequest": "",
    "ServerReadyResponse": "ready 1 bool",
    "ModelReadyRequest": _MODEL_VERSION,
    "ModelReadyResponse": "ready 1 bool",
    "ServerMetadataRequest": "",
    "ServerMetadataResponse": "name 1 string, version 2 string, extensions 3 *string",
    "ModelMetadataRequest": _MODEL_VERSION,
    "ModelMetadataResponse.TensorMetadata": "name 1 string, datatype 2 string, shape 3 *int64",
    "ModelMetadataResponse": "name 1 string, versions 2 *string, platform 3 string, "
    "inputs 4 *ModelMetadataResponse.TensorMetadata, outputs 5 *ModelMetadataResponse.TensorMetadata",
    "InferParameter": "bool_param 1 |bool, int64_param 2 |int64, string_param 3 |string, double_param 4 |double, "
    "uint64_param 5 |uint64",
    "InferTensorContents": "bool_contents 1 *bool, int_contents 2 *int32, int64_contents 3 *int64, uint_contents 4 *uint32, "
    "uint64_contents 5 *uint64, fp32_contents 6 *float, fp64_contents 7 *double, bytes_contents 8 *bytes",
    "ModelInferRequest.InferInputTensor": "name 1 string, datatype 2 string, shape 3 *int64, parameters 4 {InferParameter}, "
    "contents 5 InferTensorContents",
    "ModelInferRequest.InferRequestedOutputTensor": "name 1 string, parameters 2 {InferParameter}",
    "ModelInferRequest": "model_name 1 string, model_version 2 string, id 3 string, parameters 4 {InferParameter}, "
    "inputs 5 *ModelInferRequest.InferInputTensor, outputs 6 *ModelInferRequest.InferRequestedOutputTensor, "
    "raw_input_contents 7 *bytes",
    "ModelInferResponse.InferOutputTensor": "name 1 string, datatype 2 string, shape 3 *int64, parameters 4 {InferParameter}, "
    "contents 5 InferTensorContents",
    "ModelInferResponse": "model_name 1 string, model_version 2 string, id 3 string, parameters 4 {InferParameter}, "
    "outputs 5 *ModelInferResponse.InferOutputTensor, raw_output_contents 6 *bytes",
    "ModelStreamInferResponse": "error_message 1 string, infer_response 2 ModelInferResponse",
    "ModelConfigRequest": _MODEL_VERSION,
    "ModelConfigResponse": "config 1 ModelConfig",
    "ModelTensorReshape": "shape 1 *int64",
    "ModelInput": "name 1 string, data_type 2 DataType, format 3 ModelInput.Format, dims 4 *int64, reshape 5 ModelTensorReshape, "
    "is_shape_tensor 6 bool, allow_ragged_batch 7 bool, optional 8 bool, is_non_linear_format_io 9 bool",
    "ModelOutput": "name 1 string, data_type 2 DataType, dims 3 *int64, label_filename 4 string, reshape 5 ModelTensorReshape, "
    "is_shape_tensor 6 bool, is_non_linear_format_io 7 bool",
    "ModelRateLimiter.Resource": "name 1 string, global 2 bool, count 3 uint32",
    "ModelRateLimiter": "resources 1 *ModelRateLimiter.Resource, priority 2 uint32",
    "ModelInstanceGroup": "name 1 string, count 2 int32, gpus 3 *int32, kind 4 ModelInstanceGroup.Kind, profile 5 *string, "
    "rate_limiter 6 ModelRateLimiter, passive 7 bool, host_policy 9 string",
    "ModelQueuePolicy": "timeout_action 1 ModelQueuePolicy.TimeoutAction, default_timeout_microseconds 2 uint64, "
    "allow_timeout_override 3 bool, max_queue_size 4 uint32",
    "ModelDynamicBatching": "preferred_batch_size 1 *int32, max_queue_delay_microseconds 2 uint64, preserve_ordering 3 bool, "
    "priority_levels 4 uint64, default_priority_level 5 uint64, default_queue_policy 6 ModelQueuePolicy, "
    "priority_queue_policy 7 {uint64:ModelQueuePolicy}",
    "ModelVersionPolicy.Latest": "num_versions 1 uint32",
    "ModelVersionPolicy.All": "",
    "ModelVersionPolicy.Specific": "versions 1 *int64",
    "ModelVersionPolicy": "latest 1 |ModelVersionPolicy.Latest, all 2 |ModelVersionPolicy.All, "
    "specific 3 |ModelVersionPolicy.Specific",
    "ModelSequenceBatching.Control": "kind 1 ModelSequenceBatching.Control.Kind, int32_false_true 2 *int32, "
    "fp32_false_true 3 *float, data_type 4 DataType, bool_false_true 5 *bool",
    "ModelSequenceBatching.ControlInput": "name 1 string, control 2 *ModelSequenceBatching.Control",
    "ModelSequenceBatching.InitialState": "data_type 1 DataType, dims 2 *int64, zero_data 3 |bool, data_file 4 |string, "
    "name 5 string",
    "ModelSequenceBatching.State": "input_name 1 string, output_name 2 string, data_type 3 DataType, dims 4 *int64, "
    "initial_state 5 *ModelSequenceBatching.InitialState, use_same_buffer_for_input_output 6 bool, use_growable_memory 7 bool",
    "ModelSequenceBatching.StrategyDirect": "max_queue_delay_microseconds 1 uint64, minimum_slot_utilization 2 float",
    "ModelSequenceBatching.StrategyOldest": "max_candidate_sequences 1 int32, preferred_batch_size 2 *int32, "
    "max_queue_delay_microseconds 3 uint64, preserve_ordering 4 bool",
    "ModelSequenceBatching": "max_sequence_idle_microseconds 1 uint64, control_input 2 *ModelSequenceBatching.ControlInput, "
    "direct 3 |ModelSequenceBatching.StrategyDirect, oldest 4 |ModelSequenceBatching.StrategyOldest, "
    "state 5 *ModelSequenceBatching.State, iterative_sequence 6 bool",
    "ModelEnsembling.Step": "model_name 1 string, model_version 2 int64, input_map 3 {string}, output_map 4 {string}, "
    "model_namespace 5 string",
    "ModelEnsembling": "step 1 *ModelEnsembling.Step",
    "ModelConfig": "name 1 string, platform 2 string, version_policy 3 ModelVersionPolicy, max_batch_size 4 int32, "
    "input 5 *ModelInput, output 6 *ModelOutput, instance_group 7 *ModelInstanceGroup, default_model_filename 8 string, "
    "dynamic_batching 11 |ModelDynamicBatching, sequence_batching 13 |ModelSequenceBatching, "
    "parameters 14 {ModelParameter}, ensemble_scheduling 15 |ModelEnsembling, model_warmup 16 *ModelWarmup, backend 17 string, "
    "model_transaction_policy 19 ModelTransactionPolicy, response_cache 24 ModelResponseCache, runtime 25 string",
    "ModelTransactionPolicy": "decoupled 1 bool",
    "ModelParameter": "string_value 1 string",
    "ModelResponseCache": "enable 1 bool",
    "ModelWarmup.Input": "data_type 1 DataType, dims 2 *int64, zero_data 3 |bool, random_data 4 |bool, input_data_file 5 |string",
    "ModelWarmup": "name 1 string, batch_size 2 uint32, inputs 3 {ModelWarmup.Input}, count 4 uint32",
    "ModelStatisticsRequest": _MODEL_VERSION,
    "StatisticDuration": "count 1 uint64, ns 2 uint64",
    "InferStatistics": ", ".join(f"{name} {number} StatisticDuration" for number, name in enumerate(_DURATIONS, 1)),
    "InferBatchStatistics": "batch_size 1 uint64, compute_input 2 StatisticDuration, compute_infer 3 StatisticDuration, "
    "compute_output 4 StatisticDuration",
    "ModelStatistics": "name 1 string, version 2 string, last_inference 3 uint64, inference_count 4 uint64, "
    "execution_count 5 uint64, inference_stats 6 InferStatistics, batch_stats 7 *InferBatchStatistics",
    "ModelStatisticsResponse": "model_stats 1 *ModelStatistics",
    "SystemSharedMemoryStatusRequest": "name 1 string",
    "SystemSharedMemoryStatusResponse.RegionStatus": "name 1 string, key 2 string, offset 3 uint64, byte_size 4 uint64",
    "SystemSharedMemoryStatusResponse": "regions 1 {SystemSharedMemoryStatusResponse.RegionStatus}",
    "SystemSharedMemoryRegisterRequest": "name 1 string, key 2 string, offset 3 uint64, byte_size 4 uint64",
    "SystemSharedMemoryRegisterResponse": "",
    "SystemSharedMemoryUnregisterRequest": "name 1 string",
    "SystemSharedMemoryUnregisterResponse": "",
    "CudaSharedMemoryStatusRequest": "name 1 string",
    "CudaSharedMemoryStatusResponse.RegionStatus": "name 1 string, device_id 2 uint64, byte_size 3 uint64",
    "CudaSharedMemoryStatusResponse": "regions 1 {CudaSharedMemoryStatusResponse.RegionStatus}",
    "CudaSharedMemoryRegisterRequest": "name 1 string, raw_handle 2 bytes, device_id 3 int64, byte_size 4 uint64",
    "CudaSharedMemoryRegisterResponse": "",
    "CudaSharedMemoryUnregisterRequest": "name 1 string",
    "CudaSharedMemoryUnregisterResponse": "",
    "TraceSettingRequest.SettingValue": "value 1 *string",
    "TraceSettingRequest": "settings 1 {TraceSettingRequest.SettingValue}, model_name 2 string",
    "TraceSettingResponse.SettingValue": "value 1 *string",
    "TraceSettingResponse": "settings 1 {TraceSettingResponse.SettingValue}",
    "LogSettingsRequest.SettingValue": "bool_param 1 |bool, uint32_param 2 |uint32, string_param 3 |string",
    "LogSettingsRequest": "settings 1 {LogSettingsRequest.SettingValue}",
    "LogSettingsResponse.SettingValue": "bool_param 1 |bool, uint32_param 2 |uint32, string_param 3 |string",
    "LogSettingsResponse": "settings 1 {LogSettingsResponse.SettingValue}",
    "ModelRepositoryParameter": "bool_param 1 |bool, int64_param 2 |int64, string_param 3 |string, bytes_param 4 |bytes",
    "RepositoryIndexRequest": "repository_name 1 string, ready 2 bool",
    "RepositoryIndexResponse.ModelIndex": "name 1 string, version 2 string, state 3 string, reason 4 string",
    "RepositoryIndexResponse": "models 1 *RepositoryIndexResponse.ModelIndex",
    "RepositoryModelLoadRequest": "repository_name 1 string, model_name 2 string, parameters 3 {ModelRepositoryParameter}",
    "RepositoryModelLoadResponse": "",
    "RepositoryModelUnloadRequest": "repository_name 1 string, model_name 2 string, parameters 3 {ModelRepositoryParameter}",
    "RepositoryModelUnloadResponse": "",
}

_TYPES = ("BOOL", "UINT8", "UINT16", "UINT32", "UINT64", "INT8", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64")
_ENUMS: dict[str, tuple[str, ...]] = {
    "DataType": tuple(f"TYPE_{name}" for name in ("INVALID", *_TYPES, "STRING", "BF16")),
    "ModelQueuePolicy.TimeoutAction": ("REJECT", "DELAY"),
    "ModelInput.Format": ("FORMAT_NONE", "FORMAT_NHWC", "FORMAT_NCHW"),
    "ModelInstanceGroup.Kind": ("KIND_AUTO", "KIND_GPU", "KIND_CPU", "KIND_MODEL"),
    "ModelSequenceBatching.Control.Kind": tuple(f"CONTROL_SEQUENCE_{name}" for name in ("START", "READY", "END", "CORRID")),
}
"""Values are numbered from 0."""

_METHODS = {
    name.removesuffix("Request"): (name, f"{name.removesuffix('Request')}Response")
    for name in _MESSAGES
    if name.endswith("Request") and f"{name.removesuffix('Request')}Response" in _MESSAGES
}
FILE = DescribedFile(
    "edgefleet/inference.proto",
    PACKAGE,
    _MESSAGES,
    _ENUMS,
    {"GRPCInferenceService": {**_METHODS, "ModelStreamInfer": ("*ModelInferRequest", "*ModelStreamInferResponse")}},
)

MESSAGES: dict[str, Any] = FILE.classes
"""Message classes by name."""
