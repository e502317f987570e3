#include "gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "roadplane/base/input_error.hpp"

namespace roadplane::viz {
namespace {

constexpr const char* kExpected = "a working gnuplot (Debian package gnuplot-nox)";

[[noreturn]] void fail(const std::string& found) { throw InputError("gnuplot", kExpected, found); }

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// A nameless file. In place of a pipe: nobody has to read while the other writes.
using Scratch = std::unique_ptr<std::FILE, Close>;

Scratch make_scratch() {
  Scratch file(std::tmpfile());
  if (!file) fail("no temporary file: " + std::generic_category().message(errno));
  return file;
}

std::string content(std::FILE* file) {
  std::string text;
  char buffer[65536];
  std::rewind(file);
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    text.append(buffer, got);
  }
  return text;
}

/// gnuplot shows the place of an error by several lines; the last one says what it is.
std::string last_line(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.pop_back();
  }
  text.erase(0, text.rfind('\n') + 1);  // npos + 1 is 0
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

/// No shell, and no start-up file of the user's. In a process group of its own: Ctrl-C is for the
/// program, which ends well and needs the picture under way for that.
int wait_for_gnuplot(std::FILE* in, std::FILE* out, std::FILE* complaints) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(complaints), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string name = "gnuplot";
  std::string defaults = "--default-settings";
  std::string from_input = "-";
  char* const arguments[] = {name.data(), defaults.data(), from_input.data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, name.c_str(), &actions, &attributes, arguments, ::environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) fail("no such program");
  if (error != 0) fail(std::generic_category().message(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(std::generic_category().message(errno));
  }
  return status;
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
  const Scratch in = make_scratch();
  const Scratch out = make_scratch();
  const Scratch complaints = make_scratch();
  if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() ||
      std::fflush(in.get()) != 0) {
    fail("a full disk: " + std::generic_category().message(errno));
  }
  std::rewind(in.get());
  const int status = wait_for_gnuplot(in.get(), out.get(), complaints.get());
  std::string result = content(out.get());
  if (status != 0 || result.empty()) {
    const std::string complaint = last_line(content(complaints.get()));
    fail(complaint.empty() ? "no picture, status " + std::to_string(status) : complaint);
  }
  return result;
}

}  // namespace roadplane::viz
