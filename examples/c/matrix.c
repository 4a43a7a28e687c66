// The transpose and the product of matrices on the heap.
#include <assert.h>
#include <stdlib.h>

struct matrix {
    int rows, columns;
    int *cells;
};

static struct matrix make(int rows, int columns) {
    struct matrix m = {rows, columns, calloc((size_t)(rows * columns), sizeof(int))};
    if (m.cells == NULL)
        abort();
    return m;
}

static int *at(const struct matrix *m, int row, int column) {
    return &m->cells[row * m->columns + column];
}

static struct matrix transposed(const struct matrix *m) {
    struct matrix result = make(m->columns, m->rows);
    for (int row = 0; row < m->rows; row++)
        for (int column = 0; column < m->columns; column++)
            *at(&result, column, row) = *at(m, row, column);
    return result;
}

static struct matrix product(const struct matrix *a, const struct matrix *b) {
    assert(a->columns == b->rows);
    struct matrix result = make(a->rows, b->columns);
    for (int row = 0; row < a->rows; row++)
        for (int column = 0; column < b->columns; column++)
            for (int k = 0; k < a->columns; k++)
                *at(&result, row, column) += *at(a, row, k) * *at(b, k, column);
    return result;
}

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    struct matrix m = make(2, 3);
    for (int i = 0; i < 6; i++)
        m.cells[i] = __VERIFIER_nondet_bool();
    struct matrix t = transposed(&m), square = product(&m, &t);
    /* A matrix times its transpose is symmetric, with squares on its diagonal. */
    assert(*at(&square, 0, 1) == *at(&square, 1, 0));
    assert(*at(&square, 0, 0) >= 0 && *at(&square, 1, 1) >= 0);
    free(m.cells);
    free(t.cells);
    free(square.cells);
    return 0;
}
