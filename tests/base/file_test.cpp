#include "roadplane/base/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "roadplane/base/input_error.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"
#include "support/unprivileged.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::TempDir;

std::string text_of(const FileBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ReadFile, GivesTheBytesOfTheFile) {
  const TempDir dir;
  EXPECT_EQ(text_of(read_file(dir.write("a.txt", "hello"))), "hello");
  EXPECT_TRUE(read_file(dir.write("empty", "")).empty());
}

TEST(ReadFile, SaysWhatItFoundInsteadOfAFile) {
  const TempDir dir;
  const auto read = [](const fs::path& path) { return [path] { read_file(path); }; };
  expect_one_line(read(dir / "none"), (dir / "none").string(), "no such file");
  expect_one_line(read(dir.path()), dir.path().string(), "a directory");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  expect_one_line(read(dir / "pipe"), (dir / "pipe").string(), "a pipe");
  expect_one_line(read("/dev/zero"), "/dev/zero", "a device");
}

TEST(ReadFile, SaysThatAFileIsNotReadable) {
  const TempDir dir;
  const fs::path path = dir.write("secret", "x");
  fs::permissions(dir.path(), fs::perms::all);
  fs::permissions(path, fs::perms::none);
  const std::string message = test::exception_when_unprivileged([&] { read_file(path); });
  EXPECT_EQ(message, path.string() + ": expected a readable file, found Permission denied");
}

/// As by a copy that is interrupted and begun again.
TEST(ReadFile, AFileThatIsCutShortMeanwhileDoesNotEndTheProcess) {
  const TempDir dir;
  const fs::path path = dir.write("scan", "");
  constexpr std::uintmax_t kBytes = std::uintmax_t{1} << 22;
  std::atomic<bool> enough = false;
  std::thread writer([&] {
    for (bool whole = false; !enough; whole = !whole) fs::resize_file(path, whole ? kBytes : 0);
  });
  std::size_t bytes = 0;
  for (int k = 0; k < 2000; ++k) {
    try {
      for (const std::byte byte : read_file(path)) bytes += std::to_integer<std::size_t>(byte) + 1;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("found its end"), std::string::npos);
    }
    if (bytes > 20 * kBytes) break;
  }
  enough = true;
  writer.join();
}

TEST(ReadTextFile, ReadsUpToTheBoundAndNoFurther) {
  const TempDir dir;
  const fs::path path = dir.write("a.txt", "12345");
  EXPECT_EQ(read_text_file(path, 5), "12345");
  EXPECT_EQ(read_text_file(dir.write("empty", ""), 5), "");
  expect_one_line([&] { read_text_file(path, 4); }, path.string(), "5");
  expect_one_line([&] { read_text_file(dir / "none", 4); }, (dir / "none").string(), "no such");
}

TEST(ReadTextFile, AHugeFileIsRefusedWithoutReadingIt) {
  const TempDir dir;
  const fs::path path = dir.write("huge", "");
  fs::resize_file(path, std::uintmax_t{1} << 40);  // a hole: takes no room on the disk
  expect_one_line([&] { read_text_file(path, 100); }, path.string(), "1099511627776");
}

TEST(WriteFileAtomically, ReplacesTheContent) {
  const TempDir dir;
  const fs::path path = dir.write("a.txt", "old and longer");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_text_file(path, 100), "new");
  write_file_atomically(path, "");
  EXPECT_EQ(read_text_file(path, 100), "");
}

TEST(WriteFileAtomically, IsNotStoppedByWhatAKilledProcessLeft) {
  const TempDir dir;
  for (int counter = 0; counter < 50; ++counter) {
    dir.write(".a.txt." + std::to_string(::getpid()) + "." + std::to_string(counter), "half");
  }
  write_file_atomically(dir / "a.txt", "new");
  EXPECT_EQ(read_text_file(dir / "a.txt", 100), "new");
}

TEST(WriteFileAtomically, FollowsNoLink) {
  const TempDir dir;
  const fs::path precious = dir.write("precious", "mine");
  for (const char* name : {"a.txt", "a.txt.part"}) fs::create_symlink(precious, dir / name);
  write_file_atomically(dir / "a.txt", "new");
  EXPECT_EQ(read_text_file(dir / "a.txt", 100), "new");
  EXPECT_FALSE(fs::is_symlink(dir / "a.txt"));
  EXPECT_FALSE(fs::exists(fs::symlink_status(dir / "a.txt.part")));
  EXPECT_EQ(read_text_file(precious, 100), "mine");
}

TEST(RefuseLinksBelow, NamesTheLinkHoweverDeepItIs) {
  const TempDir dir;
  dir.write("run/overlay/04/000000.png", "x");
  EXPECT_NO_THROW(refuse_links_below(dir / "run"));
  fs::create_directory_symlink(dir / "run", dir / "same");
  EXPECT_NO_THROW(refuse_links_below(dir / "same")) << "the folder itself may be one";
  fs::create_directory_symlink(dir.path(), dir / "run/overlay/05");
  expect_one_line([&] { refuse_links_below(dir / "run"); }, (dir / "run/overlay/05").string(),
                  "found a link");
}

TEST(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  const TempDir dir;
  fs::create_directory(dir / "folder");
  dir.write("folder/inside", "x");
  const auto write = [](const fs::path& path) {
    return [path] { write_file_atomically(path, "text"); };
  };
  expect_one_line(write(dir / "folder"), (dir / "folder").string(), "directory");
  expect_one_line(write(dir / "none/a"), (dir / "none/a").string(), "No such");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace roadplane
