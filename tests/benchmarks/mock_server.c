/*
 * A chat-completions service that costs almost nothing: one thread, epoll, the same time to answer for every request.
 *
 *   mock_server LATENCY_MS ANSWER_BYTES [PIECES [LIMITED FAILED RESET]]
 *
 * It takes a free port of 127.0.0.1, prints it, and ends when its standard input does; it prints a second line when the first request has come.
 * POST to any path is answered LATENCY_MS later with a text of about ANSWER_BYTES that ends in "The answer is 18"; with PIECES, as a stream of that many events,
 * evenly over that time. LIMITED, FAILED and RESET are the shares of requests that get status 429, status 500 and a reset connection instead, always in the same order.
 * GET /v1/models names one model. GET / tells what was seen since it was last asked, as JSON, and forgets it; GET /peek only tells:
 *   requests        answered with a text
 *   received        with any answer or none
 *   distinct        different bodies among all received since the start
 *   peak            most requests that were in flight at once
 *   first, last     when the first request was complete, and the last answer sent (CLOCK_MONOTONIC, seconds)
 *   cpu             CPU time of the server in that time (seconds)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, EVENTS = 256, HEAD = 512, SEND_BUFFER = 1 << 20, BODIES = 1 << 18 };
enum fault { NONE, LIMITED, FAILED, RESET };

struct connection {
    int open;
    unsigned generation; /* tells a new connection from an old one with the same descriptor */
    int waiting;         /* for its answer; what the client sends meanwhile is read later */
    char *in;
    size_t used, size;
};

struct reply {
    double due;
    int fd;
    unsigned generation;
    int piece; /* of a stream, from 0 */
    enum fault fault;
};

static struct connection connections[MOST_CONNECTIONS];
static struct reply replies[MOST_CONNECTIONS]; /* a ring: all wait equally long, so they are due in order */
static size_t oldest, pending;
static double wait; /* for an answer, or for each piece of it */
static char *answer;
static size_t answer_length;
static int pieces; /* 0: answers are whole */
static char *piece_event;
static size_t piece_length;
static double shares[RESET + 1]; /* of requests, by fault */
static uint64_t bodies[BODIES];   /* hashes of those received; 0 is a free place */
static long requests, peak, received, distinct;
static int has_told; /* that the first request has come */
static double first_request, last_answer, cpu_before;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void make_answer(size_t bytes)
{
    static const char sentence[] = "First multiply what is sold by its price, then take away the costs of the day. ";
    char *text = calloc(1, bytes + sizeof sentence + 1);
    while (strlen(text) < bytes)
        strcat(text, sentence);
    int length = asprintf(
        &answer,
        "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"mock\",\"choices\":[{\"index\":0,"
        "\"message\":{\"role\":\"assistant\",\"content\":\"%sThe answer is 18\",\"refusal\":null},\"logprobs\":null,"
        "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":600,\"completion_tokens\":%zu,\"total_tokens\":%zu}}",
        text, bytes / 4, 600 + bytes / 4);
    answer_length = (size_t)length;
    if (pieces)
        piece_length = (size_t)asprintf(
            &piece_event,
            "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"mock\",\"choices\":"
            "[{\"index\":0,\"delta\":{\"content\":\"%.*s\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n",
            (int)(strlen(text) / (size_t)pieces), text);
    free(text);
}

static void forget(int fd)
{
    struct connection *c = &connections[fd];
    free(c->in);
    c->in = NULL;
    c->used = c->size = 0;
    c->open = c->waiting = 0;
    c->generation++;
    close(fd);
}

/* Answers are small and clients read them: what the socket's buffer does not take counts as a broken connection. */
static void send_all(int fd, const char *out, size_t length)
{
    if (send(fd, out, length, MSG_NOSIGNAL) != (ssize_t)length)
        forget(fd);
}

static void send_json(int fd, const char *status, const char *body, size_t length)
{
    static char *out;
    static size_t size;
    if (size < length + HEAD)
        out = realloc(out, size = length + HEAD);
    int head = snprintf(out, HEAD, "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", status, length);
    memcpy(out + head, body, length);
    send_all(fd, out, head + length);
}

static void send_piece(int fd, int piece)
{
    static const char last[] =
        "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The answer is 18\"},\"finish_reason\":\"stop\"}],"
        "\"usage\":{\"prompt_tokens\":600,\"completion_tokens\":175,\"total_tokens\":775}}\n\ndata: [DONE]\n\n";
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    int is_last = piece == pieces - 1;
    const char *event = is_last ? last : piece_event;
    size_t length = is_last ? sizeof last - 1 : piece_length;
    char *out;
    int size = asprintf(&out, "%s%zx\r\n%.*s\r\n%s", piece ? "" : head, length, (int)length, event, is_last ? "0\r\n\r\n" : "");
    send_all(fd, out, (size_t)size);
    free(out);
}

static void send_fault(int fd, enum fault fault)
{
    static const char limited[] = "{\"error\":{\"message\":\"Rate limit reached\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}";
    static const char failed[] = "{\"error\":{\"message\":\"The server had an error\",\"type\":\"server_error\",\"code\":null}}";
    if (fault == LIMITED)
        send_json(fd, "429 Too Many Requests", limited, sizeof limited - 1);
    else if (fault == FAILED)
        send_json(fd, "500 Internal Server Error", failed, sizeof failed - 1);
    else {
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
        forget(fd);
    }
}

static void send_statistics(int fd)
{
    char body[256];
    int length = snprintf(
        body, sizeof body, "{\"requests\":%ld,\"peak\":%ld,\"first\":%.6f,\"last\":%.6f,\"cpu\":%.6f,\"received\":%ld,\"distinct\":%ld}",
        requests, peak, first_request, last_answer, cpu() - cpu_before, received, distinct);
    send_json(fd, "200 OK", body, (size_t)length);
}

static void forget_statistics(void)
{
    requests = peak = received = 0;
    first_request = last_answer = 0;
    cpu_before = cpu();
}

static void answer_get(int fd, const char *path)
{
    static const char models[] = "{\"object\":\"list\",\"data\":[{\"id\":\"mock\",\"object\":\"model\",\"created\":1,\"owned_by\":\"mock\"}]}";
    if (!strncmp(path, "/v1", 3)) {
        send_json(fd, "200 OK", models, sizeof models - 1);
        return;
    }
    send_statistics(fd);
    if (strncmp(path, "/peek", 5))
        forget_statistics();
}

/* Counts a body, by its FNV-1a hash. */
static void note(const char *body, size_t length)
{
    uint64_t hash = 1469598103934665603ULL;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)body[i]) * 1099511628211ULL;
    size_t place = hash % BODIES;
    while (bodies[place] && bodies[place] != hash)
        place = (place + 1) % BODIES;
    received++;
    if (bodies[place] || distinct == BODIES / 2)
        return;
    bodies[place] = hash;
    distinct++;
}

static enum fault next_fault(void)
{
    double drawn = drand48();
    for (enum fault fault = LIMITED; fault <= RESET; fault++)
        if ((drawn -= shares[fault]) < 0)
            return fault;
    return NONE;
}

static void tell_first(void)
{
    if (has_told++)
        return;
    puts("first");
    fflush(stdout);
}

static void enqueue(int fd, int piece)
{
    if (pending == MOST_CONNECTIONS) {
        forget(fd);
        return;
    }
    double time = now();
    if (!first_request)
        first_request = time;
    tell_first();
    connections[fd].waiting = 1;
    replies[(oldest + pending++) % MOST_CONNECTIONS] = (struct reply){time + wait, fd, connections[fd].generation, piece, piece ? NONE : next_fault()};
    if ((long)pending > peak)
        peak = (long)pending;
}

/* Takes complete requests from what was read. */
static void serve(int fd)
{
    struct connection *c = &connections[fd];
    while (c->open && !c->waiting && c->used) {
        char *end = memmem(c->in, c->used, "\r\n\r\n", 4);
        if (!end)
            return;
        *end = 0;
        char *field = strcasestr(c->in, "\r\ncontent-length:");
        size_t head = (size_t)(end + 4 - c->in), length = head + (field ? strtoul(field + 17, NULL, 10) : 0);
        *end = '\r';
        if (c->used < length)
            return;
        int is_post = c->in[0] == 'P';
        char path[8];
        snprintf(path, sizeof path, "%.7s", c->in + strlen("GET "));
        if (is_post)
            note(c->in + head, length - head);
        memmove(c->in, c->in + length, c->used -= length);
        if (is_post)
            enqueue(fd, 0);
        else
            answer_get(fd, path);
    }
}

static void receive(int fd)
{
    struct connection *c = &connections[fd];
    for (;;) {
        if (c->size - c->used < 16384)
            c->in = realloc(c->in, (c->size += 32768) + 1);
        ssize_t count = recv(fd, c->in + c->used, c->size - c->used, 0);
        if (count <= 0) {
            if (count == 0 || errno != EAGAIN)
                forget(fd);
            return;
        }
        c->used += count;
        int whole = (size_t)count < 16384;
        serve(fd);
        if (whole || !c->open)
            return;
    }
}

static void send_due(void)
{
    while (pending && replies[oldest].due <= now()) {
        struct reply reply = replies[oldest];
        oldest = (oldest + 1) % MOST_CONNECTIONS;
        pending--;
        struct connection *c = &connections[reply.fd];
        if (!c->open || c->generation != reply.generation)
            continue;
        if (reply.fault) {
            c->waiting = 0;
            send_fault(reply.fd, reply.fault);
            serve(reply.fd);
            continue;
        }
        if (pieces)
            send_piece(reply.fd, reply.piece);
        if (c->open && reply.piece < pieces - 1) {
            enqueue(reply.fd, reply.piece + 1);
            continue;
        }
        c->waiting = 0;
        requests++;
        if (!pieces)
            send_json(reply.fd, "200 OK", answer, answer_length);
        last_answer = now();
        serve(reply.fd);
    }
}

static void accept_all(int listener, int poll)
{
    int fd, one = 1, buffer = SEND_BUFFER;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MOST_CONNECTIONS) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        connections[fd].open = 1;
        epoll_ctl(poll, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN, .data.fd = fd});
    }
}

static int listen_and_tell(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(fd, (struct sockaddr *)&address, length) || listen(fd, 4096)) {
        perror("listen");
        exit(1);
    }
    getsockname(fd, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void set_timer(int timer)
{
    double due = pending ? replies[oldest].due : 0;
    struct itimerspec when = {.it_value = {(time_t)due, (long)((due - (time_t)due) * 1e9)}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

int main(int count, char **arguments)
{
    pieces = count > 3 ? atoi(arguments[3]) : 0;
    wait = (count > 1 ? atof(arguments[1]) / 1000 : 0) / (pieces ? pieces : 1);
    make_answer(count > 2 ? strtoul(arguments[2], NULL, 10) : 0);
    for (int fault = LIMITED; fault <= RESET; fault++)
        shares[fault] = count > 3 + fault ? atof(arguments[3 + fault]) : 0;
    signal(SIGPIPE, SIG_IGN);
    int listener = listen_and_tell(), poll = epoll_create1(0);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.fd = listener});
    epoll_ctl(poll, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN | EPOLLET, .data.fd = timer});
    epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &(struct epoll_event){.events = EPOLLIN, .data.fd = STDIN_FILENO});
    struct epoll_event events[EVENTS];
    double set_for = 0;
    for (;;) {
        double due = pending ? replies[oldest].due : 0;
        if (due != set_for) {
            set_timer(timer);
            set_for = due;
        }
        int ready = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            if (fd == listener)
                accept_all(listener, poll);
            else if (fd == STDIN_FILENO)
                return 0;
            else if (fd != timer && connections[fd].open)
                receive(fd);
        }
        send_due();
    }
}
