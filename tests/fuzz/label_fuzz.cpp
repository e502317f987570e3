#include "fuzz.hpp"
#include "roadplane/evaluation/class_set.hpp"
#include "roadplane/kitti/label_file.hpp"

// Any content of a .label file, against a scan of as many points as would fit; and, as text, any
// list of classes.
void roadplane::fuzz(std::span<const std::byte> content) {
  try {
    ClassSet::parse(as_text(content));
  } catch (const InputError&) {
  }
  const kitti::Labels labels = kitti::decode_labels(content, content.size() / 4, "fuzz");
  require(ClassSet::road().mask(labels).size() == labels.size());
}
