// The controller of a microwave oven: it never heats with the door open.
// Wrong: after a pause it starts again whatever the door is.
#include <assert.h>
#include <stdbool.h>

enum state { IDLE, HEATING, PAUSED, DONE };
enum event { START, STOP, OPEN, CLOSE, TICK };

struct oven {
    enum state state;
    bool door_open;
    bool heater;
    int seconds;
};

int __VERIFIER_nondet_int(void);

static void handle(struct oven *o, enum event event) {
    switch (event) {
    case START:
        if (o->state == PAUSED || (!o->door_open && o->state != HEATING)) {
            o->seconds = o->state == PAUSED ? o->seconds : 30;
            o->state = HEATING;
            o->heater = true;
        }
        break;
    case STOP:
        if (o->state == HEATING)
            o->state = PAUSED;
        o->heater = false;
        break;
    case OPEN:
        o->door_open = true;
        if (o->state == HEATING) {
            o->state = PAUSED;
            o->heater = false;
        }
        break;
    case CLOSE:
        o->door_open = false;
        break;
    case TICK:
        if (o->state == HEATING && --o->seconds == 0) {
            o->state = DONE;
            o->heater = false;
        }
        break;
    }
}

int main(void) {
    struct oven oven = {IDLE, false, false, 0};
    while (true) {
        int event = __VERIFIER_nondet_int();
        if (event < START || event > TICK)
            continue;
        handle(&oven, (enum event)event);
        assert(!(oven.heater && oven.door_open));
        assert(oven.seconds >= 0 && oven.seconds <= 30);
    }
}
