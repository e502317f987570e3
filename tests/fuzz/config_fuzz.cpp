#include "config_file.hpp"
#include "file_in_memory.hpp"

// Any content of a file for --config: arguments of the command, each an option of it.
void roadplane::fuzz(std::span<const std::byte> content) {
  static CLI::App* const app = [] {
    auto* program = new CLI::App;
    CLI::App* command = program->add_subcommand("segment");
    static std::string frames, transform;
    static int agents = 0;
    static bool quiet = false;
    command->add_option("--frames", frames);
    command->add_option("--transform", transform);
    command->add_option("--agents", agents);
    command->add_flag("--quiet", quiet);
    return program;
  }();
  const FileInMemory file(content);
  const std::vector<std::string> arguments{"segment", "--config", file.path()};
  const std::vector<std::string> all = app::with_config_file(arguments, *app);
  require(all.size() >= arguments.size() && all.front() == "segment");
  for (std::size_t k = 1; k < all.size() - 2; ++k) require(all[k].starts_with("--"));
}
