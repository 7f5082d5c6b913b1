/* A library that answers like libedgetpu without a TPU: the device list, the plug-in entry points of a TensorFlow Lite delegate, and
 * an operator that fills its output with a hash of its input. Written for the tests from the interface's public field order.
 *
 * What it does is told by the environment:
 *   TPU_DEVICES="usb,pci"     the devices that are plugged in; a file of that content where it starts with "@"
 *   TPU_LOG=file              a line for every device that is opened, with the clock that was asked for
 *   TPU_RUNS=file             a line for every inference: the device that ran it
 *   TPU_HELD=path             this device is listed and cannot be opened; a file of that content where it starts with "@"
 *   TPU_BROKEN=path           every inference on this device fails; a file of that content where it starts with "@"
 *   TPU_LATENCY_US=2000       how long one inference takes
 *   TPU_LOST_AFTER=3          inferences that work before every further one fails
 *   TPU_ABORT_AFTER=3         likewise, but the process is aborted, as libedgetpu does on a USB error
 *   TPU_FAULT="hang 30 path"  what happens (fail, abort, hang), when (load, or after that number of inferences in a process), and on
 *                             which device (* = all); a file of that content where it starts with "@"
 *   TPU_SPANS=file            a line "begin" and a line "end" for every inference
 * Built with -DOLD_ABI it has the shorter structs of the TensorFlow 2.5 era. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES_MAX 8
enum { OK = 0, ERROR = 1, PCI = 0, USB = 1 };

typedef struct { int size; int data[]; } IntArray;
typedef struct Context Context;
typedef struct Delegate Delegate;

typedef struct {
  int type;
  void *data;
  IntArray *dims;
  float scale;
  int zero_point;
  int allocation;
  size_t bytes;
  void *rest[8];
} Tensor;

typedef struct {
  IntArray *inputs, *outputs, *intermediates, *temporaries;
  void *user_data, *builtin_data;
  const void *custom_data;
  int custom_size;
} Node;

typedef struct {
  void *(*init)(Context *, const char *, size_t);
  void (*free)(Context *, void *);
  int (*prepare)(Context *, Node *);
  int (*invoke)(Context *, Node *);
  const char *(*profile)(const Context *, const Node *);
  int builtin_code;
  const char *custom_name;
  int version;
#ifndef OLD_ABI
  void *external;
  void *async_kernel;
  uint64_t inplace;
#endif
} Registration;

struct Delegate {
  void *data;
  int (*prepare)(Context *, Delegate *);
  void *copy_from, *copy_to, *free_buffer;
  int64_t flags;
#ifndef OLD_ABI
  void *builder;
#endif
};

struct Context {
  size_t tensor_count;
  int (*plan)(Context *, IntArray **);
  Tensor *tensors;
  void *impl;
  int (*resize)(Context *, Tensor *, IntArray *);
  void (*report)(Context *, const char *, ...);
  int (*add_tensors)(Context *, int, int *);
  int (*node)(Context *, int, Node **, Registration **);
  int (*replace)(Context *, Registration, const IntArray *, Delegate *);
};

typedef struct { int kind; const char *path; } Device;
typedef struct { Device devices[DEVICES_MAX]; char paths[DEVICES_MAX][64]; int count; } Listing;

static int invocations;

static int number(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}

/* The value of a variable, or of the file that it names after "@". */
static void read_text(const char *name, char *text, size_t size) {
  const char *said = getenv(name);
  text[0] = 0;
  if (said && *said == '@') {
    FILE *file = fopen(said + 1, "r");
    if (file) {
      if (!fgets(text, size, file)) text[0] = 0;
      fclose(file);
    }
  } else if (said) {
    snprintf(text, size, "%s", said);
  }
  text[strcspn(text, "\n")] = 0;
}

static void write_line(const char *name, const char *text) {
  const char *path = getenv(name);
  FILE *file = path ? fopen(path, "a") : 0;
  if (!file) return;
  fprintf(file, "%s\n", text);
  fclose(file);
}

static void list_devices(Listing *listing) {
  char text[256];
  read_text("TPU_DEVICES", text, sizeof text);
  listing->count = 0;
  /* Each word is kind or kind=path: what stays where it is when the order changes. */
  for (char *save = 0, *word = strtok_r(text, ",\n", &save); word && listing->count < DEVICES_MAX; word = strtok_r(0, ",\n", &save)) {
    int index = listing->count++;
    char *path = strchr(word, '=');
    if (path) snprintf(listing->paths[index], 64, "%s", path + 1);
    else snprintf(listing->paths[index], 64, strncmp(word, "pci", 3) ? "/sys/bus/usb/devices/1-%d" : "/dev/apex_%d", index);
    listing->devices[index].kind = strncmp(word, "pci", 3) ? USB : PCI;
    listing->devices[index].path = listing->paths[index];
  }
}

Device *edgetpu_list_devices(size_t *count) {
  Listing *listing = calloc(1, sizeof *listing);
  list_devices(listing);
  *count = listing->count;
  if (listing->count) return listing->devices;
  free(listing);
  return 0;
}
void edgetpu_free_devices(Device *devices) { free(devices); }
const char *edgetpu_version(void) { return "stand-in"; }
void edgetpu_verbosity(int level) { (void)level; }

/* What stands behind a delegate: the real class keeps more there; an old library would have it where a new runtime looks for a
 * field. */
typedef struct { Delegate delegate; void *behind[2]; char path[64]; } Made;

static void *kernel_init(Context *context, const char *data, size_t size) {
  (void)context, (void)size;
  return *(Made **)data; /* the first field of TfLiteDelegateParams */
}
static void kernel_free(Context *context, void *data) { (void)context, (void)data; }
static int kernel_prepare(Context *context, Node *node) { (void)context, (void)node; return OK; }

/* What TPU_FAULT says for this device now: "" or the kind of a failure that returns. Others do not return. */
static const char *fault(const char *when, int count, const char *path) {
  char text[160], kind[16], moment[16], place[96];
  read_text("TPU_FAULT", text, sizeof text);
  if (sscanf(text, "%15s %15s %95s", kind, moment, place) != 3) return "";
  if (strcmp(place, "*") && strcmp(place, path)) return "";
  if (!strcmp(moment, "load") ? strcmp(when, "load") : strcmp(when, "run") || count < atoi(moment)) return "";
  if (!strcmp(kind, "abort")) abort();
  while (!strcmp(kind, "hang")) sleep(3600);
  return "fail";
}

static int kernel_invoke(Context *context, Node *node) {
  if (*fault("run", invocations, ((Made *)node->user_data)->path)) {
    context->report(context, "stand-in: the device fails");
    return ERROR;
  }
  if (invocations >= number("TPU_ABORT_AFTER", 1 << 30)) abort();
  if (invocations >= number("TPU_LOST_AFTER", 1 << 30)) {
    context->report(context, "stand-in: the device is gone");
    return ERROR;
  }
  char broken[64];
  read_text("TPU_BROKEN", broken, sizeof broken);
  if (*broken && !strcmp(broken, ((Made *)node->user_data)->path)) {
    context->report(context, "stand-in: this device is broken");
    return ERROR;
  }
  write_line("TPU_RUNS", ((Made *)node->user_data)->path);
  __sync_fetch_and_add(&invocations, 1);
  write_line("TPU_SPANS", "begin");
  usleep(number("TPU_LATENCY_US", 0));
  write_line("TPU_SPANS", "end");
  Tensor *in = &context->tensors[node->inputs->data[0]];
  uint32_t hash = 2166136261u;
  for (size_t index = 0; index < in->bytes; index++) hash = (hash ^ ((uint8_t *)in->data)[index]) * 16777619u;
  for (int each = 0; each < node->outputs->size; each++) {
    Tensor *out = &context->tensors[node->outputs->data[each]];
    for (size_t index = 0; index < out->bytes; index++) {
      hash = hash * 1664525u + 1013904223u;
      ((uint8_t *)out->data)[index] = hash >> 24;
    }
  }
  return OK;
}

static int delegate_prepare(Context *context, Delegate *delegate) {
  IntArray *plan;
  if (context->plan(context, &plan)) return ERROR;
  int count = plan->size, *nodes = malloc(sizeof(int) * count); /* replacing a node changes the plan under our feet */
  memcpy(nodes, plan->data, sizeof(int) * count);
  int status = OK;
  for (int index = 0; index < count && status == OK; index++) {
    Node *node;
    Registration *found;
    status = context->node(context, nodes[index], &node, &found);
    if (status == OK && found->custom_name && !strcmp(found->custom_name, "edgetpu-custom-op")) {
      Registration own;
      memset(&own, 0, sizeof own);
      own.init = kernel_init, own.free = kernel_free, own.prepare = kernel_prepare, own.invoke = kernel_invoke;
      own.custom_name = "EdgeTpuDelegateForCustomOp";
      own.version = 1;
      struct { int size; int data[1]; } one = {1, {nodes[index]}};
      status = context->replace(context, own, (IntArray *)&one, delegate);
    }
  }
  free(nodes);
  return status;
}

/* The index among the devices that `address` allows ("", ":1", "usb", "usb:0", "pci:1"), or -1. */
static int find_device(const char *address) {
  Listing listing;
  list_devices(&listing);
  int kind = !strncmp(address, "usb", 3) ? USB : !strncmp(address, "pci", 3) ? PCI : -1;
  const char *colon = strchr(address, ':');
  int wanted = colon ? atoi(colon + 1) : 0;
  for (int index = 0; index < listing.count; index++)
    if ((kind < 0 || listing.devices[index].kind == kind) && wanted-- == 0) return index;
  return -1;
}

Delegate *tflite_plugin_create_delegate(char **keys, char **values, size_t count, void (*report)(const char *)) {
  (void)report;
  const char *address = "", *clock = "";
  for (size_t index = 0; index < count; index++) {
    if (!strcmp(keys[index], "device")) address = values[index];
    if (!strcmp(keys[index], "Performance")) clock = values[index];
  }
  int device = find_device(address);
  if (device < 0) return 0;
  Listing listing;
  list_devices(&listing);
  char held[64];
  read_text("TPU_HELD", held, sizeof held);
  if (!strcmp(held, listing.paths[device])) return 0;
  if (*fault("load", 0, listing.paths[device])) return 0;
  char line[96];
  snprintf(line, sizeof line, "%s%s%s", listing.paths[device], *clock ? " " : "", clock);
  write_line("TPU_LOG", line);
  Made *made = calloc(1, sizeof *made);
  snprintf(made->path, sizeof made->path, "%s", listing.paths[device]);
  made->delegate.prepare = delegate_prepare;
  made->delegate.flags = 1;
  made->delegate.data = made->behind[0] = made->behind[1] = made;
  return &made->delegate;
}
void tflite_plugin_destroy_delegate(Delegate *delegate) { free(delegate); }
