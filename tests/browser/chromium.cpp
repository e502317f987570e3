#include "browser/chromium.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace roadplane::test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr int kAnswerMs = 60'000;  // a loaded machine with a software renderer is slow

std::string decoded(const std::string& base64) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64) {
    const auto digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            .find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) < 8) continue;
    bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

}  // namespace

std::filesystem::path find_chromium() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto program = std::filesystem::path(folder) / "chromium";
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

Chromium::Chromium(const std::filesystem::path& program) {
  int commands[2], answers[2];
  if (::pipe2(commands, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  process_ = ::fork();
  if (process_ == 0) start(program, commands[0], answers[1]);
  ::close(commands[0]);
  ::close(answers[1]);
  to_browser_ = commands[1];
  from_browser_ = answers[0];
  const json target = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget",
                  {{"targetId", target["targetId"]}, {"flatten", true}})["sessionId"];
  for (const char* domain : {"Page", "Runtime", "Log", "Network"}) {
    call(domain + std::string(".enable"));
  }
  resize(1200, 900);
}

/// In the child: the protocol is spoken over descriptors 3 (in) and 4 (out).
void Chromium::start(const std::filesystem::path& program, int commands, int answers) {
  ::setpgid(0, 0);
  const int in = ::fcntl(commands, F_DUPFD, 10), out = ::fcntl(answers, F_DUPFD, 10);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::dup2(in, 3);
  ::dup2(out, 4);
  const std::string profile = "--user-data-dir=" + profile_.path().string();
  // A root's browser has no sandbox to put itself into; this one only sees files of this test.
  ::execl(program.c_str(), program.c_str(), "--headless", "--no-sandbox", "--no-first-run",
          "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
          "--disable-quic", "--disable-background-networking", "--disable-component-update",
          "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", profile.c_str(),
          "about:blank", nullptr);
  ::_exit(127);
}

Chromium::~Chromium() {
  ::close(to_browser_);  // the browser ends when its pipe does
  ::close(from_browser_);
  for (int k = 0; k < 50; ++k) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) return;
    std::this_thread::sleep_for(100ms);
  }
  ::kill(-process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Chromium::send(const json& message) const {
  const std::string text = message.dump() + '\0';
  if (::write(to_browser_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the browser takes no commands");
  }
}

/// The next message; they end with a zero byte.
json Chromium::receive() {
  std::size_t end = received_.find('\0');
  while (end == std::string::npos) {
    pollfd ready{from_browser_, POLLIN, 0};
    if (::poll(&ready, 1, kAnswerMs) != 1) throw std::runtime_error("the browser is silent");
    char buffer[65536];
    const ssize_t got = ::read(from_browser_, buffer, sizeof(buffer));
    if (got <= 0) throw std::runtime_error("the browser has ended");
    end = received_.size();
    received_.append(buffer, static_cast<std::size_t>(got));
    end = received_.find('\0', end);
  }
  const json message = json::parse(received_.substr(0, end));
  received_.erase(0, end + 1);
  return message;
}

void Chromium::note(const json& event) {
  const std::string method = event.value("method", "");
  const json& p = event.contains("params") ? event["params"] : event;
  if (method == "Runtime.exceptionThrown") problems_.push_back(p.dump());
  if (method == "Runtime.consoleAPICalled" && (p["type"] == "error" || p["type"] == "warning")) {
    problems_.push_back(p.dump());
  }
  if (method == "Log.entryAdded" && p["entry"]["level"] != "verbose" &&
      p["entry"]["level"] != "info") {
    problems_.push_back(p.dump());
  }
  if (method == "Network.requestWillBeSent") {
    const std::string url = p["request"]["url"];
    const bool inside = url.starts_with("data:") || url.starts_with("blob:") || url == page_;
    const bool allowed = !allowed_.empty() && url.find(allowed_) != std::string::npos;
    if (!inside && !allowed) problems_.push_back("asked for " + url);
  }
}

json Chromium::call(const std::string& method, const json& parameters) {
  json message = {{"id", ++calls_}, {"method", method}};
  if (!parameters.is_null()) message["params"] = parameters;
  if (!session_.empty()) message["sessionId"] = session_;
  send(message);
  while (true) {
    const json answer = receive();
    if (answer.value("id", 0) != calls_) {
      note(answer);
      continue;
    }
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer.dump());
    return answer["result"];
  }
}

json Chromium::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer.dump());
  return answer["result"].value("value", json());
}

void Chromium::open(const std::filesystem::path& file) {
  problems_.clear();
  call("Page.navigate", {{"url", "about:blank"}});
  // As the browser spells it: a name may hold anything.
  page_ = evaluate("new URL('file://' + " + json(file.string()).dump() +
                   ".split('/').map(encodeURIComponent).join('/')).href");
  call("Page.navigate", {{"url", page_}});
  for (int k = 0; k < 600; ++k) {
    if (evaluate("performance.getEntriesByName('ready').length") == 1) return;
    if (!problems_.empty()) break;
    std::this_thread::sleep_for(100ms);
  }
  std::string message = "the page is not ready";
  for (const std::string& problem : problems_) message += "\n" + problem;
  throw std::runtime_error(message);
}

void Chromium::resize(int width, int height, bool dark) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

void Chromium::move_mouse(double x, double y) {
  call("Input.dispatchMouseEvent", {{"type", "mouseMoved"}, {"x", x}, {"y", y}});
}

void Chromium::drag_mouse(double from_x, double to_x, double y) {
  const auto left = [&](const char* type, double x, int held) {
    call("Input.dispatchMouseEvent",
         {{"type", type}, {"x", x}, {"y", y}, {"button", "left"}, {"buttons", held}});
  };
  left("mousePressed", from_x, 1);
  left("mouseMoved", to_x, 1);
  left("mouseReleased", to_x, 0);
}

void Chromium::press_key(const std::string& key) {
  const int code = key == "ArrowRight" ? 39 : 37;
  for (const char* type : {"rawKeyDown", "keyUp"}) {
    call("Input.dispatchKeyEvent",
         {{"type", type}, {"key", key}, {"code", key}, {"windowsVirtualKeyCode", code}});
  }
}

void Chromium::write_screenshot(const std::filesystem::path& png) {
  const json picture = call("Page.captureScreenshot", {{"captureBeyondViewport", true}});
  std::ofstream(png, std::ios::binary) << decoded(picture["data"]);
}

}  // namespace roadplane::test
