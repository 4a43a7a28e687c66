// expect: unknown
// options: --function length --property valid-memsafety
// Lists of any length are more than the option says: no error, and an assumption.
struct node {
  int value;
  struct node *next;
};

int length(const struct node *node) { return !node ? 0 : !node->next ? 1 : 2; }
