#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Reads every #include of the project and compares it with architecture.txt.

namespace {

namespace fs = std::filesystem;
using std::string;

const fs::path kSources = ROADPLANE_SOURCE_DIR;

struct Include {
  string file;  ///< below the project's folder
  int line = 0;
  string target;
  bool quoted = false;  ///< "target", not <target>

  string where() const { return file + ":" + std::to_string(line); }
};

string first_part(const string& path) { return path.substr(0, path.find('/')); }

/// include/roadplane/MODULE/..., src/MODULE/..., and the modules that lie at the top.
string module_of(const fs::path& file) {
  auto part = file.begin();
  if (*part == "include") std::advance(part, 2);
  if (*part == "src") ++part;
  return part->string();
}

/// The folder of the module's sources and private headers.
fs::path room_of(const string& file) {
  return first_part(file) == "src" ? fs::path("src") / module_of(file) : fs::path(module_of(file));
}

std::vector<Include> includes_of(const string& file) {
  std::vector<Include> includes;
  std::ifstream stream(kSources / file);
  string text;
  for (int line = 1; std::getline(stream, text); ++line) {
    std::istringstream words(text);
    string directive;
    string target;
    words >> directive >> target;
    if (directive != "#include" || target.size() < 3) continue;
    const auto end = target.find_first_of(">\"", 1);
    includes.push_back({file, line, target.substr(1, end - 1), target[0] == '"'});
  }
  return includes;
}

struct House {
  std::set<string> files;
  std::vector<Include> includes;
};

const House& house() {
  static const House built = [] {
    House h;
    for (const char* folder : {"include", "src", "kitti", "viz", "apps", "bench", "python"}) {
      for (const auto& entry : fs::recursive_directory_iterator(kSources / folder)) {
        const fs::path extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".hpp") continue;
        if (entry.path().parent_path() == kSources / "include/roadplane") continue;  // for users
        h.files.insert(fs::relative(entry.path(), kSources).string());
      }
    }
    for (const string& file : h.files) {
      const auto of_file = includes_of(file);
      h.includes.insert(h.includes.end(), of_file.begin(), of_file.end());
    }
    return h;
  }();
  return built;
}

/// What architecture.txt says.
struct Table {
  std::map<string, int> layer;  ///< of a module; the topmost is 0
  std::set<std::pair<string, string>> allowed;
  std::map<string, std::vector<string>> library;  ///< who may include it
  std::set<string> research;                      ///< folders and files
  std::set<string> chooses;  ///< files that include research where there is some

  bool is_research(fs::path file) const {
    while (!file.empty() && research.count(file.string()) == 0) file = file.parent_path();
    return !file.empty();
  }

  bool may_include(const string& from, const string& to) const {
    return from == to || allowed.count({from, to}) > 0 || layer.at(from) < layer.at(to);
  }

  bool may_use(const string& library_name, const string& file) const {
    const string module = module_of(file);
    const auto covers = [&](const string& user) {
      if (user.back() != '+') return user == module || user == file;
      const string lowest = user.substr(0, user.size() - 1);
      return lowest == module || layer.at(module) < layer.at(lowest);
    };
    const std::vector<string>& users = library.at(library_name);
    return std::any_of(users.begin(), users.end(), covers);
  }
};

Table read_table() {
  Table table;
  std::ifstream stream(kSources / "tests/architecture/architecture.txt");
  string line;
  for (int layers = 0; std::getline(stream, line);) {
    const auto comment = line.find('#');
    std::istringstream words(line.substr(0, comment));
    string kind;
    if (!(words >> kind)) continue;
    std::vector<string> names;
    for (string name; words >> name;) names.push_back(name);
    if (kind == "layer") {
      for (const string& name : names) table.layer[name] = layers;
      ++layers;
    } else if (kind == "allow" && names.size() == 2) {
      EXPECT_NE(comment, string::npos) << line << ": an exception has its reason beside it";
      table.allowed.emplace(names[0], names[1]);
    } else if (kind == "library" && names.size() >= 2) {
      table.library[names[0]].assign(names.begin() + 1, names.end());
    } else if (kind == "research") {
      table.research.insert(names.begin(), names.end());
    } else if (kind == "chooses" && names.size() == 1) {
      EXPECT_NE(comment, string::npos) << line << ": it has its reason beside it";
      table.chooses.insert(names[0]);
    } else {
      ADD_FAILURE()
          << "architecture.txt: expected layer, allow, library, research or chooses, found "
          << line;
    }
  }
  return table;
}

/// The module whose public header this is; empty if it is none.
string public_module(const Include& include) {
  if (first_part(include.target) != "roadplane") return {};
  return first_part(include.target.substr(string("roadplane/").size()));
}

TEST(Architecture, ReadsTheWholeProject) {
  EXPECT_GT(house().files.size(), 200U);
  EXPECT_GT(house().includes.size(), 1000U);
}

TEST(Architecture, EveryModuleIsInTheTableAndHasItsOwnTarget) {
  const Table table = read_table();
  std::set<string> found;
  for (const string& file : house().files) found.insert(module_of(file));
  for (const string& module : found) EXPECT_EQ(table.layer.count(module), 1U) << module;
  for (const auto& [module, layer] : table.layer) {
    EXPECT_EQ(found.count(module), 1U) << module << " is in the table only";
    EXPECT_TRUE(fs::exists(kSources / module / "CMakeLists.txt") ||
                fs::exists(kSources / "src" / module / "CMakeLists.txt"))
        << module;
  }
}

TEST(Architecture, DependenciesPointOneWay) {
  const Table table = read_table();
  for (const Include& include : house().includes) {
    const string to = public_module(include);
    if (to.empty()) continue;
    const string from = module_of(include.file);
    ASSERT_EQ(table.layer.count(to), 1U) << include.where() << ": " << include.target;
    EXPECT_TRUE(table.may_include(from, to))
        << include.where() << ": " << from << " may not include " << to << " (" << include.target
        << ")";
    EXPECT_TRUE(house().files.count("include/" + include.target))
        << include.where() << ": no such header: " << include.target;
  }
}

TEST(Architecture, TheProductIncludesNoResearch) {
  const Table table = read_table();
  for (const string& path : table.research) EXPECT_TRUE(fs::exists(kSources / path)) << path;
  int used = 0;
  for (const Include& include : house().includes) {
    if (public_module(include).empty() || !table.is_research("include/" + include.target)) continue;
    ++used;
    EXPECT_TRUE(table.is_research(include.file) || table.chooses.count(include.file))
        << include.where() << ": the product includes " << include.target << " of the research";
  }
  EXPECT_GT(used, 50);
}

TEST(Architecture, HeadersForUsersIncludePublicHeadersAndAreForNobodyElse) {
  const std::set<string> umbrellas{"core.hpp", "roadplane.hpp"};
  for (const string& name : umbrellas) {
    const auto includes = includes_of("include/roadplane/" + name);
    EXPECT_GT(includes.size(), 4U);
    for (const Include& include : includes) {
      const bool known = include.target == "roadplane/core.hpp" ||
                         house().files.count("include/" + include.target) > 0;
      EXPECT_TRUE(known) << include.where() << ": " << include.target;
    }
  }
  for (const Include& include : house().includes) {
    EXPECT_EQ(umbrellas.count(public_module(include)), 0U)
        << include.where() << ": includes what is for users";
  }
}

TEST(Architecture, PublicHeadersAreThoseThatAnotherModuleOrAUserIncludes) {
  // What a header that is public for such a reason includes must be public, too.
  std::set<string> wanted{"roadplane/core.hpp", "roadplane/roadplane.hpp"};
  for (const Include& include : house().includes) {
    const string to = public_module(include);
    if (!to.empty() && to != module_of(include.file)) wanted.insert(include.target);
  }
  std::vector<string> open(wanted.begin(), wanted.end());
  while (!open.empty()) {
    const auto includes = includes_of("include/" + open.back());
    open.pop_back();
    for (const Include& include : includes) {
      if (public_module(include).empty() || !wanted.insert(include.target).second) continue;
      open.push_back(include.target);
    }
  }
  for (const string& file : house().files) {
    if (first_part(file) != "include") continue;
    EXPECT_TRUE(wanted.count(file.substr(string("include/").size())))
        << file << ": only its own module includes it, so it belongs into that module's folder";
  }
}

TEST(Architecture, LibrariesStayInTheirRooms) {
  const Table table = read_table();
  for (const Include& include : house().includes) {
    const string name = first_part(include.target);
    if (table.library.count(name) > 0) {
      EXPECT_TRUE(table.may_use(name, include.file))
          << include.where() << ": " << include.target << " is not for this file";
    } else if (!include.quoted) {
      EXPECT_EQ(name, include.target)
          << include.where() << ": a library that architecture.txt does not name";
    }
  }
}

TEST(Architecture, PrivateHeadersAreIncludedByBareNameInTheirModule) {
  for (const Include& include : house().includes) {
    EXPECT_EQ(include.target.find(".."), string::npos) << include.where() << ": " << include.target;
    if (!include.quoted || !public_module(include).empty()) continue;
    const fs::path folder = fs::path(include.file).parent_path();
    EXPECT_NE(*folder.begin(), "include")
        << include.where() << ": a public header includes the private " << include.target;
    EXPECT_EQ(first_part(include.target), include.target) << include.where();
    const bool beside = house().files.count((folder / include.target).string()) > 0;
    EXPECT_TRUE(beside || house().files.count((room_of(include.file) / include.target).string()))
        << include.where() << ": " << include.target << " is no header of this module";
  }
}

}  // namespace
