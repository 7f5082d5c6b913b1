/* A library that answers like librknnrt.so without an NPU: y = scale * x + offset, in the 8-bit numbers that an NPU stores. Written for
 * the tests from the documented order of fields and meaning of codes in Rockchip's API reference.
 *
 * A model file is "RKNN", four zero bytes, and a line: chip height width channels scale offset in_scale in_zero out_scale out_zero. Its
 * input `images` is NHWC, its output `result` NCHW.
 *
 * The folder RKNN_STAND_IN has `device` (the name of the chip, or `old driver`) while there is an NPU, and `fault` with what happens (fail, abort, hang)
 * and when (load, or after that number of runs of a process). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAIL = -1, PARAM = -5, MODEL = -6, CONTEXT = -7, INPUT = -8, OUTPUT = -9, DEVICE = -10, PLATFORM = -13 };
enum { FLOAT32 = 0, INT8 = 2, UINT8 = 3, NCHW = 0, NHWC = 1, AFFINE = 2 };

typedef struct { uint32_t inputs, outputs; } Counts;
typedef struct {
  uint32_t index, n_dims, dims[16];
  char name[256];
  uint32_t n_elems, size;
  int fmt, type, qnt_type;
  int8_t fl;
  int32_t zp;
  float scale;
  uint32_t w_stride, size_with_stride;
  uint8_t pass_through;
  uint32_t h_stride;
} Attributes;
typedef struct { uint32_t index; void *buf; uint32_t size; uint8_t pass_through; int type, fmt; } Input;
typedef struct { uint8_t want_float, is_prealloc; uint32_t index; void *buf; uint32_t size; } Output;
typedef struct { char api[256], driver[256]; } Versions;

typedef struct {
  uint32_t magic;
  char chip[16];
  int height, width, channels, count, in_zero, out_zero;
  float scale, offset, in_scale, out_scale;
  int8_t *in, *out;
  int given, ran;
} Model;

#define MAGIC 0x4b4e5052u
static int runs;

static int read_file(const char *name, char *text, size_t size) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", getenv("RKNN_STAND_IN") ? getenv("RKNN_STAND_IN") : "", name);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
  return 1;
}

/* Whether the file `fault` lets this moment fail. Other faults do not return. */
static int fault(const char *moment) {
  char text[64], kind[16], when[16];
  if (!read_file("fault", text, sizeof text) || sscanf(text, "%15s %15s", kind, when) != 2) return 0;
  if (!strcmp(when, "load") ? strcmp(moment, "load") : strcmp(moment, "run") || runs < atoi(when)) return 0;
  if (!strcmp(kind, "abort")) abort();
  while (!strcmp(kind, "hang")) sleep(3600);
  return 1;
}

static Model *find(uint64_t context) {
  Model *model = (Model *)(uintptr_t)context;
  return model && model->magic == MAGIC ? model : 0;
}

static int8_t stored(double real, float scale, int zero) {
  double value = nearbyint(real / scale) + zero;
  return value < -128 ? -128 : value > 127 ? 127 : value;
}

int rknn_init(uint64_t *context, void *data, uint32_t size, uint32_t flag, void *extend) {
  (void)flag, (void)extend;
  char chip[64], line[256];
  if (!read_file("device", chip, sizeof chip)) return FAIL; /* "failed to open rknpu module" */
  if (!strcmp(chip, "old driver")) return DEVICE;
  if (fault("load") || size < 16 || memcmp(data, "RKNN\0\0\0", 8)) return MODEL;
  Model *model = calloc(1, sizeof *model);
  snprintf(line, sizeof line, "%.*s", (int)(size - 8), (char *)data + 8);
  int found = sscanf(line, "%15s %d %d %d %f %f %f %d %f %d", model->chip, &model->height, &model->width, &model->channels, &model->scale,
                     &model->offset, &model->in_scale, &model->in_zero, &model->out_scale, &model->out_zero);
  if (found != 10 || strcmp(chip, model->chip)) {
    int code = found == 10 ? PLATFORM : MODEL;
    free(model);
    return code;
  }
  model->magic = MAGIC;
  model->count = model->height * model->width * model->channels;
  model->in = calloc(1, model->count), model->out = calloc(1, model->count);
  *context = (uintptr_t)model;
  return 0;
}

int rknn_destroy(uint64_t context) {
  Model *model = find(context);
  if (!model) return CONTEXT;
  free(model->in), free(model->out);
  memset(model, 0, sizeof *model);
  free(model);
  return 0;
}

int rknn_set_core_mask(uint64_t context, int mask) {
  Model *model = find(context);
  if (!model) return CONTEXT;
  return strcmp(model->chip, "rk3588") || mask < 0 || mask > 7 ? PARAM : 0;
}

int rknn_query(uint64_t context, int command, void *info, uint32_t size) {
  Model *model = find(context);
  if (!model) return CONTEXT;
  if (command == 0 && size == sizeof(Counts)) {
    *(Counts *)info = (Counts){1, 1};
    return 0;
  }
  if (command == 5 && size == sizeof(Versions)) {
    snprintf(((Versions *)info)->api, 256, "2.3.2 (429f97ae6b@2025-04-09T09:09:27)");
    snprintf(((Versions *)info)->driver, 256, "0.9.8");
    return 0;
  }
  Attributes *found = info;
  if ((command != 1 && command != 2) || size != sizeof *found || found->index != 0) return PARAM;
  int given = command == 1;
  uint32_t nhwc[] = {1, model->height, model->width, model->channels}, nchw[] = {1, model->channels, model->height, model->width};
  memcpy(found->dims, given ? nhwc : nchw, sizeof nhwc);
  snprintf(found->name, sizeof found->name, "%s", given ? "images" : "result");
  found->n_dims = 4, found->n_elems = found->size = model->count;
  found->fmt = given ? NHWC : NCHW, found->type = INT8, found->qnt_type = AFFINE;
  found->zp = given ? model->in_zero : model->out_zero, found->scale = given ? model->in_scale : model->out_scale;
  return 0;
}

int rknn_inputs_set(uint64_t context, uint32_t count, Input *inputs) {
  Model *model = find(context);
  if (!model) return CONTEXT;
  if (count != 1 || inputs->index != 0 || !inputs->buf || inputs->size != (uint32_t)model->count) return INPUT;
  if (inputs->pass_through) {
    memcpy(model->in, inputs->buf, model->count);
  } else {
    if (inputs->type != UINT8 || inputs->fmt != NHWC) return INPUT;
    for (int at = 0; at < model->count; at++) model->in[at] = stored(((uint8_t *)inputs->buf)[at], model->in_scale, model->in_zero);
  }
  model->given = 1;
  return 0;
}

int rknn_run(uint64_t context, void *extend) {
  (void)extend;
  Model *model = find(context);
  if (!model) return CONTEXT;
  if (!model->given) return INPUT;
  if (fault("run")) return FAIL;
  runs++;
  int pixels = model->height * model->width;
  for (int pixel = 0; pixel < pixels; pixel++)
    for (int channel = 0; channel < model->channels; channel++) {
      double real = (model->in[pixel * model->channels + channel] - model->in_zero) * (double)model->in_scale;
      model->out[channel * pixels + pixel] = stored(model->scale * real + model->offset, model->out_scale, model->out_zero);
    }
  model->ran = 1;
  return 0;
}

int rknn_outputs_get(uint64_t context, uint32_t count, Output *outputs, void *extend) {
  (void)extend;
  Model *model = find(context);
  if (!model) return CONTEXT;
  if (!model->ran || count != 1 || outputs->index != 0 || outputs->want_float) return OUTPUT;
  if (!outputs->is_prealloc || outputs->size != (uint32_t)model->count) return OUTPUT;
  memcpy(outputs->buf, model->out, model->count);
  return 0;
}

int rknn_outputs_release(uint64_t context, uint32_t count, Output *outputs) {
  (void)count, (void)outputs;
  return find(context) ? 0 : CONTEXT;
}
