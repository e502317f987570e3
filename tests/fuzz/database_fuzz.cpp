#include "recording_fuzz.hpp"

// Any content of a database of ROS 2. SQLite wants a file of a folder.
void roadplane::fuzz(std::span<const std::byte> content) {
  read_all(*kitti::open_sqlite_bag(file_of_folder("fuzz.db3", content)));
}
