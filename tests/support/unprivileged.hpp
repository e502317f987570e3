#pragma once

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <string>

namespace roadplane::test {

/// Runs `action` in a child process without root's right to read everything; gives the message of
/// the exception that it threw, "no exception" if it threw none.
template <class Action>
std::string exception_when_unprivileged(Action&& action) {
  int ends[2];
  if (::pipe(ends) != 0) return "pipe failed";
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    std::string message = "no exception";
    if (::getuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
      message = "cannot drop privileges";
    } else {
      try {
        action();
      } catch (const std::exception& error) {
        message = error.what();
      }
    }
    const bool sent = ::write(ends[1], message.data(), message.size()) >= 0;
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  std::string message;
  char buffer[256];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    message.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return message;
}

}  // namespace roadplane::test
