#include "roadplane/base/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "roadplane/base/mapped_file.hpp"
#include "support/input_error.hpp"
#include "support/temp_dir.hpp"
#include "support/unprivileged.hpp"

namespace roadplane {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::TempDir;

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, GivesTheBytesOfTheFile) {
  const TempDir dir;
  const fs::path path = dir.write("a.txt", "hello");
  MappedFile file(path);
  EXPECT_EQ(text_of(file), "hello");
  const MappedFile moved = std::move(file);
  EXPECT_EQ(text_of(moved), "hello");
  EXPECT_TRUE(MappedFile(dir.write("empty", "")).bytes().empty());
}

TEST(MappedFile, SaysWhatItFoundInsteadOfAFile) {
  const TempDir dir;
  const auto map = [](const fs::path& path) { return [path] { MappedFile file(path); }; };
  expect_one_line(map(dir / "none"), (dir / "none").string(), "no such file");
  expect_one_line(map(dir.path()), dir.path().string(), "a directory");
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  expect_one_line(map(dir / "pipe"), (dir / "pipe").string(), "a pipe");
  expect_one_line(map("/dev/zero"), "/dev/zero", "a device");
}

TEST(MappedFile, SaysThatAFileIsNotReadable) {
  const TempDir dir;
  const fs::path path = dir.write("secret", "x");
  fs::permissions(dir.path(), fs::perms::all);
  fs::permissions(path, fs::perms::none);
  const std::string message = test::exception_when_unprivileged([&] { MappedFile file(path); });
  EXPECT_EQ(message, path.string() + ": expected a readable file, found Permission denied");
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
