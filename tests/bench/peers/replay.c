/* replay: epoll client that plays recorded matches again (record.py) against a server.
 * One process, one thread; checks that every frame is byte for byte the recorded one.
 * A window: when all seats of a match have their frame f, all seats that answered it answer again
 * (closed loop: at once; paced: at the match's next planned time).
 * build: gcc -O2 -o replay replay.c -lm
 * usage: replay -f REC -p PORT -i PID [-e: echo server, no set-up] [-r windows/s] [-n: no check] [-F: frames alone] [-s SUBPROTOCOL]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
typedef struct { uint32_t at, len; uint8_t *d; } Msg;
typedef struct { int fd, m, up, frames, nset, set, wait, nsend, nframe, nrec, got, over;
  Msg *setup; char (*kind)[16]; Msg *send; Msg *fr; uint8_t *buf; int len, cap; } Conn;
typedef struct { int f, waiting, done, last; double t0, due; } Match;
static int N, K, M, ep, port, echo, nocheck, cur = -1, fonly; static Conn *C; static Match *MT;
static const char *spoken; static double rate, period; static long total, seen, msgs, bytes, fbytes, steps, late; static int measuring, finished;
static float *lat; static size_t nlat, caplat; static long diff;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static double cpu_self(void) { struct rusage r; getrusage(RUSAGE_SELF, &r);
  return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6; }
static double tick_pid(int pid, double *sys) { char p[64], b[2048]; sprintf(p, "/proc/%d/stat", pid); FILE *f = fopen(p, "r"); if (!f) return 0;
  size_t n = fread(b, 1, 2047, f); b[n] = 0; fclose(f); char *q = strrchr(b, ')') + 2; unsigned long u, s;
  sscanf(q, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &u, &s); if (sys) *sys = s / (double)sysconf(_SC_CLK_TCK); return (u + s) / (double)sysconf(_SC_CLK_TCK); }
static double cpu_main, ctx_sw; /* of the main thread; context switches of all threads */
static double cpu_pid(int pid, double *sys) { /* all threads, in nanoseconds by the scheduler */
  char p[300]; sprintf(p, "/proc/%d/task", pid); DIR *d = opendir(p); double sum = 0; ctx_sw = 0; if (!d) return tick_pid(pid, sys);
  for (struct dirent *e; (e = readdir(d));) { if (e->d_name[0] == '.') continue; snprintf(p, 300, "/proc/%d/task/%s/schedstat", pid, e->d_name); FILE *f = fopen(p, "r"); if (!f) continue;
    unsigned long long ns = 0; if (fscanf(f, "%llu", &ns) != 1) ns = 0; fclose(f); sum += ns * 1e-9; if (atoi(e->d_name) == pid) cpu_main = ns * 1e-9;
    snprintf(p, 300, "/proc/%d/task/%s/status", pid, e->d_name); f = fopen(p, "r"); char l[256]; while (f && fgets(l, 256, f)) { char *q = strstr(l, "ctxt_switches:"); if (q) ctx_sw += atol(q + 14); } if (f) fclose(f); }
  closedir(d); if (sys) tick_pid(pid, sys); return sum; }
static long mem_pid(int pid, const char *key) { char p[64], l[256]; sprintf(p, "/proc/%d/status", pid); FILE *f = fopen(p, "r"); long v = 0;
  if (!f) return 0;
  while (fgets(l, 256, f)) if (!strncmp(l, key, strlen(key))) v = atol(l + strlen(key) + 1);
  fclose(f); return v; }
static void die(const char *s, int i) { fprintf(stderr, "%s (connection %d)\n", s, i); exit(2); }
static void xsend(int fd, const void *b, int n) { const char *p = b; while (n > 0) { ssize_t r = send(fd, p, n, MSG_NOSIGNAL);
  if (r < 0) { if (errno == EAGAIN) continue; perror("send"); exit(1); } p += r; n -= r; } }
static void frame(int fd, int op, const uint8_t *d, int n) { static uint8_t b[300000]; int h = 0; b[h++] = 0x80 | op;
  if (n < 126) b[h++] = 0x80 | n; else if (n < 65536) { b[h++] = 0x80 | 126; b[h++] = n >> 8; b[h++] = n; } else die("too long", 0);
  static const uint8_t k[4] = {0x12, 0x34, 0x56, 0x78}; memcpy(b + h, k, 4); h += 4;
  for (int i = 0; i < n; i++) b[h + i] = d[i] ^ k[i & 3];
  xsend(fd, b, h + n); }
static Msg *sendat(Conn *c, int f) { for (int i = c->got; i < c->nsend && (int)c->send[i].at <= f; i++) { c->got = i; if ((int)c->send[i].at == f) return &c->send[i]; } return 0; }
static void fire(int m) { Match *t = &MT[m]; Conn *c = &C[m * K]; int n = 0, last = -1;
  for (int i = 0; i < K; i++) if (sendat(&c[i], t->f)) last = i;
  for (int i = 0; i < K; i++) { Msg *s = sendat(&c[i], t->f); if (!s) continue; if (i == last) t->t0 = now(); frame(c[i].fd, 2, s->d, s->len); n++; }
  if (n) { t->last = t->f + 1; t->waiting = 1; if (measuring) steps++; if (rate > 0 && t->f > 0) { if (t->t0 > t->due + 0.0005) { t->t0 = t->due; late++; } t->due += period; } }
  t->done = 0; }
static int isframe(const uint8_t *d, int n) { return n > 10 && d[1] == 0xa1 && d[2] == 't' && ((d[3] == 0xa5 && !memcmp(d + 4, "frame", 5)) || (d[3] == 0xa6 && !memcmp(d + 4, "change", 6))); }
static void gotframe(Conn *c, uint8_t *d, int n) { Match *t = &MT[c->m]; int k = c->frames++;
  if (!nocheck && (k >= c->nrec || (int)c->fr[k].len != n || memcmp(c->fr[k].d, d, n))) diff++;
  seen++; if (measuring) { fbytes += n; if (c->frames == t->last) { if (nlat == caplat) lat = realloc(lat, sizeof(float) * (caplat = caplat ? caplat * 2 : 1 << 18)); lat[nlat++] = (now() - t->t0) * 1e6; } }
  int least = 1 << 30; for (int i = 0; i < K; i++) if (C[c->m * K + i].frames < least) least = C[c->m * K + i].frames;
  if (least > t->f) { t->f = least; t->done = 1; t->waiting = 0; if (rate == 0) fire(c->m); } }
static void message(Conn *c, int op, uint8_t *d, int n) {
  if (op == 9) { frame(c->fd, 10, d, n); return; }
  if (op == 8) { fprintf(stderr, "closed c%d %d %.*s\n", (int)(c - C), n > 1 ? d[0] << 8 | d[1] : 0, n > 2 ? n - 2 : 0, d + 2); exit(2); }
  if (measuring) { msgs++; bytes += n; }
  if (c->set < c->nset) { const char *k = c->kind[c->set]; size_t z = strlen(k); if (n > 4 + (int)z && d[1] == 0xa1 && d[2] == 't' && !memcmp(d + 4, k, z)) c->wait = 0;
    else if (n > 11 && !memcmp(d + 4, "refused", 7)) { fprintf(stderr, "refused: %.*s\n", n > 200 ? 200 : n, d); exit(2); } return; }
  if (isframe(d, n)) gotframe(c, d, n); else if (n > 11 && !memcmp(d + 4, "refused", 7)) { fprintf(stderr, "refused: %.*s\n", n > 300 ? 300 : n, d); exit(2); } }
static void parse(Conn *c) { int o = 0;
  if (!c->up) { uint8_t *e = memmem(c->buf, c->len, "\r\n\r\n", 4); if (!e) return;
    if (memcmp(c->buf, "HTTP/1.1 101", 12)) { fprintf(stderr, "bad upgrade: %.300s\n", c->buf); exit(2); }
    c->up = 1; o = e + 4 - c->buf; }
  for (;;) { int left = c->len - o; uint8_t *b = c->buf + o; if (left < 2) break; uint64_t n = b[1] & 127; int h = 2;
    if (n == 126) { if (left < 4) break; n = b[2] << 8 | b[3]; h = 4; } else if (n == 127) { if (left < 10) break; n = 0; for (int i = 0; i < 8; i++) n = n << 8 | b[2 + i]; h = 10; }
    if ((uint64_t)left < h + n) break; message(c, b[0] & 15, b + h, (int)n); o += h + n; }
  memmove(c->buf, c->buf + o, c->len - o); c->len -= o; }
static void readable(Conn *c) { for (;;) { if (c->cap - c->len < 65536) c->buf = realloc(c->buf, c->cap = c->len + 131072);
  ssize_t r = recv(c->fd, c->buf + c->len, c->cap - c->len, 0);
  if (r == 0) { if (finished) return; fprintf(stderr, "EOF c%d after %d frames\n", (int)(c - C), c->frames); exit(2); }
  if (r < 0) { if (errno == EAGAIN) return; perror("recv"); exit(2); }
  int full = r == c->cap - c->len; c->len += r; parse(c); if (!full) return; } }
static void poll_(int ms) { struct epoll_event ev[512]; int n = epoll_wait(ep, ev, 512, ms); for (int i = 0; i < n; i++) readable(&C[ev[i].data.u32]); }
static void copen(int i) { Conn *c = &C[i]; struct sockaddr_in a = {0}; a.sin_family = AF_INET; a.sin_port = htons(port); a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  c->fd = socket(AF_INET, SOCK_STREAM, 0); if (connect(c->fd, (void *)&a, sizeof a)) { perror("connect"); exit(1); }
  int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); fcntl(c->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event e = {EPOLLIN, {.u32 = i}}; epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
  char b[1024]; int n = echo ? snprintf(b, 1024, "GET /%d HTTP/1.1\r\n", i) : snprintf(b, 1024, "GET /play HTTP/1.1\r\n");
  n += snprintf(b + n, 900, "Host: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s\r\n", port, spoken ? "Sec-WebSocket-Protocol: " : "", spoken ? spoken : "", spoken ? "\r\n" : "");
  xsend(c->fd, b, n); double t = now(); while (!c->up) { poll_(1000); if (now() - t > 60) die("no upgrade", i); } }
static uint32_t u32(FILE *f) { uint32_t v; if (fread(&v, 4, 1, f) != 1) exit(3); return v; }
static Msg rd(FILE *f, uint32_t at) { Msg m; m.at = at; m.len = u32(f); m.d = malloc(m.len + 1); if (m.len && fread(m.d, m.len, 1, f) != 1) exit(3); return m; }
static int cf(const void *a, const void *b) { float x = *(float *)a, y = *(float *)b; return x < y ? -1 : x > y; }
int main(int ac, char **av) { int o, pid = 0; char *pf = 0; double longest = 300; int lim = 0;
  while ((o = getopt(ac, av, "f:p:i:er:nFt:M:s:")) > 0) switch (o) { case 'f': pf = optarg; break; case 'p': port = atoi(optarg); break; case 'i': pid = atoi(optarg); break;
    case 'e': echo = 1; break; case 'r': rate = atof(optarg); break; case 'n': nocheck = 1; break; case 'F': fonly = 1; break; case 'M': lim = atoi(optarg); break; case 's': spoken = optarg; break; case 't': longest = atof(optarg); break; }
  FILE *f = fopen(pf, "r"); N = u32(f); K = u32(f); M = N / K; C = calloc(N, sizeof *C); MT = calloc(M, sizeof *MT); ep = epoll_create1(0);
  for (int i = 0; i < N; i++) { Conn *c = &C[i]; c->m = i / K; c->nset = u32(f); c->setup = calloc(c->nset, sizeof(Msg)); c->kind = calloc(c->nset, 16);
    for (int j = 0; j < c->nset; j++) { uint8_t z = fgetc(f); if (fread(c->kind[j], z, 1, f) != 1) exit(3); c->setup[j] = rd(f, 0); }
    c->nsend = u32(f); c->send = calloc(c->nsend, sizeof(Msg)); for (int j = 0; j < c->nsend; j++) { uint32_t at = u32(f); c->send[j] = rd(f, at); }
    int cap = 0; for (int j = 0; j < c->nsend; j++) { uint32_t n = u32(f); while (n--) { int is = fgetc(f); Msg m = rd(f, 0); if (is) { if (c->nrec == cap) c->fr = realloc(c->fr, sizeof(Msg) * (cap = cap ? 2 * cap : 64)); c->fr[c->nrec++] = m; } else free(m.d); } }
    total += c->nrec; if (echo) c->nset = 0; }
  if (lim && lim < M) { M = lim; N = M * K; total = 0; for (int i = 0; i < N; i++) total += C[i].nrec; }
  long rss0 = mem_pid(pid, "VmRSS"); double c0 = cpu_pid(pid, 0), t = now();
  for (int i = 0; i < N; i++) { copen(i); Conn *c = &C[i];
    for (c->set = 0; c->set < c->nset; c->set++) { c->wait = 1; frame(c->fd, 2, c->setup[c->set].d, c->setup[c->set].len); double tt = now(); while (c->wait) { poll_(1000); if (now() - tt > 60) die("no answer in set-up", i); } } }
  double tc = now() - t, cc = cpu_pid(pid, 0) - c0; usleep(300000); poll_(0); long rss1 = mem_pid(pid, "VmRSS");
  period = rate > 0 ? M / rate : 0; t = now(); for (int m = 0; m < M; m++) { MT[m].due = t + 1.0 + (rate > 0 ? m / rate : 0); fire(m); }
  double m0 = 0, m1 = 0, x0 = 0, x1 = 0, k0 = 0, k1 = 0, ts = 0, s0 = 0, y0 = 0, l0 = 0, te = 0, s1 = 0, y1 = 0, l1 = 0, tl = now(); long f0 = 0, f1 = 0, prev = 0;
  while (seen < total) { double n = now();
    if (!measuring && !te && seen >= total / 20) { measuring = 1; late = 0; ts = n; s0 = cpu_pid(pid, &y0); m0 = cpu_main; x0 = ctx_sw; k0 = tick_pid(pid, 0); l0 = cpu_self(); f0 = seen; }
    if (measuring && seen >= total * 19 / 20) { measuring = 0; te = n; s1 = cpu_pid(pid, &y1); m1 = cpu_main; x1 = ctx_sw; k1 = tick_pid(pid, 0); l1 = cpu_self(); f1 = seen; }
    if (seen != prev) { prev = seen; tl = n; } else if (n - tl > 20) { fprintf(stderr, "stalled at %ld of %ld frames\n", seen, total); break; }
    if (n - t > longest) { fprintf(stderr, "too long\n"); break; }
    int ms = 100; if (rate > 0) { double nx = n + 0.1; for (int m = 0; m < M; m++) if (MT[m].done) { if (MT[m].due <= n) fire(m); else if (MT[m].due < nx) nx = MT[m].due; } ms = (nx - now()) * 1000; if (ms < 0) ms = 0; }
    poll_(ms); }
  if (!te) { te = now(); s1 = cpu_pid(pid, &y1); m1 = cpu_main; x1 = ctx_sw; k1 = tick_pid(pid, 0); l1 = cpu_self(); f1 = seen; }
  finished = 1; double w = te - ts; long fr = f1 - f0; qsort(lat, nlat, sizeof(float), cf);
#define Q(q) (nlat ? lat[(size_t)((nlat - 1) * q)] : 0)
  printf("{\"us_per_frame\":%.2f,\"frames_per_cpu_s\":%.0f,\"us_main\":%.2f,\"ctx_per_frame\":%.2f,\"sys_share\":%.3f,\"srv_cpu\":%.3f,\"load_cpu\":%.3f,\"frames_s\":%.0f,\"windows_s\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,\"p999_us\":%.0f,\"max_us\":%.0f,\"bytes_frame\":%.0f,\"msgs_per_frame\":%.2f,\"frames\":%ld,\"differing\":%ld,\"late\":%ld,\"rss0_mb\":%.1f,\"kb_per_conn_idle\":%.2f,\"kb_per_match_end\":%.1f,\"setup_cpu_us_per_conn\":%.0f,\"setup_s\":%.2f,\"cpu_s\":%.2f}\n",
    fr ? (s1 - s0) * 1e6 / fr : 0, s1 > s0 ? fr / (s1 - s0) : 0, fr ? (m1 - m0) * 1e6 / fr : 0, fr ? (x1 - x0) / fr : 0, k1 > k0 ? (y1 - y0) / (k1 - k0) : 0, (s1 - s0) / w, (l1 - l0) / w, fr / w, steps / w, Q(.5), Q(.99), Q(.999), Q(1.0), fr ? (double)fbytes / fr : 0, fr ? (double)msgs / fr : 0, fr, diff, late,
    rss0 / 1024.0, (rss1 - rss0) / (double)N, (mem_pid(pid, "VmRSS") - rss0) / (double)M, cc * 1e6 / N, tc, s1 - s0);
  fflush(stdout); return 0; }
