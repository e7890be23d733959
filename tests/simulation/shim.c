/* Takes the power from a process that writes a database: whatever it had not synced is gone.

   Preloaded, it watches the files whose path holds SHIM_FILE. Writes go through, but what stood
   there before is kept until the file is synced. At the SHIM_STEP-th write, truncation or sync the
   power fails: of what was not synced a part that SHIM_SEED draws is kept, in the order in which
   it was written, the rest is put back, and the process ends at once with status 137.
   With SHIM_DEAF the syncs do nothing, as those of a disk that lies. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "offsets of 64 bits");

#define ENDED 137
#define SECTOR 512

struct undo {
    char path[PATH_MAX];
    off_t at;      /* where the change begins; for a truncation the new length */
    off_t length;  /* how long the file was before */
    size_t size;   /* how many bytes stood there before */
    size_t written;
    char *before;
    char *after;
    struct undo *earlier;
};

static struct undo *newest;
static long steps;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);

__attribute__((constructor)) static void begin(void) {
    real_pwrite = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
    real_write = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    real_ftruncate = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
}

/* Returns whether the file is one of those that are watched, and its path. */
static int is_watched(int fd, char *path) {
    const char *part = getenv("SHIM_FILE");
    char link[64];
    if (part == NULL) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    /* The shared index is no file to speak of: SQLite makes it anew. */
    return strstr(path, part) != NULL && strstr(path, "-shm") == NULL;
}

static void keep_part(struct undo *each, size_t kept) {
    FILE *file = fopen(each->path, "r+b");
    if (file == NULL) return;
    int fd = fileno(file);
    if (each->after == NULL) {
        /* A truncation: the length and the bytes that it took. */
        real_ftruncate(fd, each->length);
        if (each->size) real_pwrite(fd, each->before, each->size, each->at);
    } else {
        if (each->size > kept)
            real_pwrite(fd, each->before + kept, each->size - kept, each->at + (off_t)kept);
        off_t end = each->at + (off_t)kept;
        real_ftruncate(fd, each->length > end ? each->length : end);
    }
    fclose(file);
}

/* Ends the process: of the changes that were not synced some first ones stay, one of them torn. */
static void fail(void) {
    long count = 0;
    for (struct undo *each = newest; each != NULL; each = each->earlier) count++;
    const char *seed = getenv("SHIM_SEED");
    srand(seed == NULL ? 1u : (unsigned)atoi(seed));
    long gone = count ? rand() % (count + 1) : 0;
    for (struct undo *each = newest; each != NULL && gone > 0; each = each->earlier, gone--) {
        size_t sectors = each->written / SECTOR;
        int is_torn = gone == 1 && each->after != NULL && sectors > 1;
        keep_part(each, is_torn ? (size_t)(rand() % (int)sectors) * SECTOR : 0);
    }
    _exit(ENDED);
}

static void step(void) {
    const char *last = getenv("SHIM_STEP");
    if (last != NULL && ++steps >= atol(last)) fail();
}

/* Notes what stands in a file where it is about to change. */
static void note(const char *path, int fd, off_t at, size_t written, const void *data) {
    struct stat now;
    struct undo *made = calloc(1, sizeof *made);
    if (made == NULL || fstat(fd, &now) != 0) _exit(1);
    strcpy(made->path, path);
    made->at = at;
    made->length = now.st_size;
    made->written = written;
    off_t end = data == NULL ? now.st_size : at + (off_t)written;
    if (end > now.st_size) end = now.st_size;
    made->size = end > at ? (size_t)(end - at) : 0;
    made->before = malloc(made->size + 1);
    made->after = data == NULL ? NULL : made->before;
    if (made->before == NULL) _exit(1);
    /* The descriptor may be for writing alone. */
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        if (pread(fileno(file), made->before, made->size, at) < 0) _exit(1);
        fclose(file);
    }
    made->earlier = newest;
    newest = made;
}

static void forget(const char *path) {
    struct undo **place = &newest;
    while (*place != NULL) {
        struct undo *each = *place;
        if (strcmp(each->path, path) == 0) {
            *place = each->earlier;
            free(each->before);
            free(each);
        } else {
            place = &each->earlier;
        }
    }
}

static ssize_t written(int fd, const void *data, size_t size, off_t at, int is_placed) {
    char path[PATH_MAX];
    if (!is_watched(fd, path))
        return is_placed ? real_pwrite(fd, data, size, at) : real_write(fd, data, size);
    pthread_mutex_lock(&turn);
    note(path, fd, is_placed ? at : lseek(fd, 0, SEEK_CUR), size, data);
    ssize_t done = is_placed ? real_pwrite(fd, data, size, at) : real_write(fd, data, size);
    step();
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return written(fd, data, size, at, 1); }
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at) { return written(fd, data, size, at, 1); }
ssize_t write(int fd, const void *data, size_t size) { return written(fd, data, size, 0, 0); }

static int truncated(int fd, off_t length) {
    char path[PATH_MAX];
    if (!is_watched(fd, path)) return real_ftruncate(fd, length);
    pthread_mutex_lock(&turn);
    note(path, fd, length, 0, NULL);
    int done = real_ftruncate(fd, length);
    step();
    pthread_mutex_unlock(&turn);
    return done;
}

int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off_t length) { return truncated(fd, length); }

static int synced(int fd) {
    char path[PATH_MAX];
    if (!is_watched(fd, path)) return real_fsync(fd);
    pthread_mutex_lock(&turn);
    step();
    if (getenv("SHIM_DEAF") == NULL) forget(path);
    pthread_mutex_unlock(&turn);
    return 0;
}

int fsync(int fd) { return synced(fd); }
int fdatasync(int fd) { return synced(fd); }
