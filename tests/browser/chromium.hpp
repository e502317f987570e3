#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/temp_dir.hpp"

namespace roadplane::test {

/// Debian's Chromium; empty if it is not installed.
std::filesystem::path find_chromium();

/// A page in a headless Chromium of its own, driven through the DevTools protocol over a pipe.
/// Everything throws std::runtime_error if the browser does not answer in time or says no.
class Chromium {
 public:
  explicit Chromium(const std::filesystem::path& program);
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  /// Loads a file and waits until the page has set the mark "ready". Forgets earlier problems.
  void open(const std::filesystem::path& file);
  /// The value of a JavaScript expression; promises are awaited.
  nlohmann::json evaluate(const std::string& expression);
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters = {});

  void resize(int width, int height, bool dark = false);
  void move_mouse(double x, double y);
  void drag_mouse(double from_x, double to_x, double y);
  void press_key(const std::string& key);  ///< "ArrowRight" or "ArrowLeft"
  void write_screenshot(const std::filesystem::path& png);

  /// What went to the console as a warning or error, uncaught exceptions, and everything that the
  /// page asked for from outside itself.
  const std::vector<std::string>& problems() const { return problems_; }
  void forget_problems() { problems_.clear(); }
  /// Addresses with this part may be asked for; none if it is empty.
  void allow(const std::string& part) { allowed_ = part; }

 private:
  void start(const std::filesystem::path& program, int commands, int answers);
  void send(const nlohmann::json& message) const;
  nlohmann::json receive();
  void note(const nlohmann::json& event);

  TempDir profile_;
  pid_t process_ = 0;
  int to_browser_ = -1;
  int from_browser_ = -1;
  std::string received_;
  std::string session_;
  std::string page_;  ///< the address of the page
  int calls_ = 0;
  std::vector<std::string> problems_;
  std::string allowed_;
};

}  // namespace roadplane::test
