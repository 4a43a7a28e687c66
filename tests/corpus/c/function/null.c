// expect: unsafe
// options: --function get --property valid-memsafety
// An argument can be null.
struct node {
  int value;
  struct node *next;
};

int get(const struct node *node) { return node->value; }
