// expect: safe
// unknown: explicit, cegar, symbolic, panda
// options: --property valid-memsafety
// The address of a sender has the size of its family, so that the same size is right the next time.
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in sender;
  socklen_t size = sizeof sender;
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  char text[2];
  if (s < 0)
    return 1;
  for (int i = 0; i < 2; i++)
    if (recvfrom(s, text, sizeof text, 0, (struct sockaddr *)&sender, &size) < 0)
      return 1;
  return size == 16 && sender.sin_family == AF_INET ? 0 : *(volatile int *)0;
}
