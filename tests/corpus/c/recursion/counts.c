// expect: safe
// unknown: explicit, symbolic, bounded
// A global counts calls: by how much each activation changes it is what has to be known.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int leaves = 0;

void grow(int depth) {
    if (depth == 0) {
        leaves = leaves + 1;
        return;
    }
    grow(depth - 1);
    grow(depth - 1);
}

int expected(int depth) {
    return depth == 0 ? 1 : 2 * expected(depth - 1);
}

int main(void) {
    int depth = __VERIFIER_nondet_int();
    if (depth < 0 || depth > 20) {
        return 0;
    }
    grow(depth);
    if (leaves != expected(depth)) {
        __VERIFIER_error();
    }
    return 0;
}
