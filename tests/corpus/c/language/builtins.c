// expect: safe
// unknown: symbolic
extern void reach_error(void);
static void check(int condition) { if (!condition) reach_error(); }
struct pair { int a; char b[6]; };
int main(void) {
  int result, shared = 5;
  unsigned small;
  unsigned long long big;
  long long wide;
  check(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678u) == 0x78563412u);
  check(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
  check(__builtin_clz(1) == 31 && __builtin_clz(~0u) == 0 && __builtin_clzll(1) == 63 && __builtin_clz(0x10000) == 15);
  check(__builtin_ctz(8) == 3 && __builtin_ctzll(1ull << 63) == 63 && __builtin_ctz(1) == 0);
  check(__builtin_popcount(0xf0f0u) == 8 && __builtin_popcountll(~0ull) == 64 && __builtin_popcount(0) == 0);
  check(__builtin_parity(7) == 1 && __builtin_parity(5) == 0);
  check(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_ffsll(1ll << 40) == 41);
  check(!__builtin_add_overflow(1, 2, &result) && result == 3);
  check(__builtin_add_overflow(2147483647, 1, &result) && result == -2147483647 - 1);
  check(__builtin_sub_overflow(1u, 2u, &small) && small == ~0u && !__builtin_sub_overflow(1u, 2u, &result));
  check(result == -1 && __builtin_mul_overflow(~0ull, 2ull, &big) && big == ~0ull - 1);
  check(__builtin_mul_overflow(~0ull, ~0ull, &wide) && !__builtin_mul_overflow(3000000000u, 2u, &wide));
  check(wide == 6000000000ll && __builtin_smul_overflow(65536, 65536, &result) && result == 0);
  check(__builtin_expect(shared == 5, 1) && __builtin_constant_p(3) && __builtin_types_compatible_p(int, signed));
  check(__builtin_choose_expr(1, 2, "x") == 2 && __builtin_offsetof(struct pair, b[2]) == 6);
  check(__sync_fetch_and_add(&shared, 2) == 5 && __sync_add_and_fetch(&shared, 1) == 8);
  check(__sync_bool_compare_and_swap(&shared, 8, 9) && !__sync_bool_compare_and_swap(&shared, 8, 1));
  check(__sync_val_compare_and_swap(&shared, 9, 3) == 9 && shared == 3);
  check(__sync_lock_test_and_set(&shared, 1) == 3 && shared == 1);
  __sync_lock_release(&shared);
  __sync_synchronize();
  check(shared == 0 && __atomic_fetch_or(&shared, 6, 5) == 0 && __atomic_load_n(&shared, 5) == 6);
  __atomic_store_n(&shared, 4, 5);
  check(__atomic_exchange_n(&shared, 7, 5) == 4 && __atomic_sub_fetch(&shared, 2, 5) == 5);
  return 0;
}
