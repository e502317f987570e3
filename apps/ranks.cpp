#include "ranks.hpp"

#include "exit_code.hpp"

namespace roadplane::app {

const Communicator* Ranks::ask(double patience_s, bool wanted) {
  if (!asked_ && (wanted || launcher_in_environment())) {
    all_.emplace(Communicator::start(patience_s, {"roadplane: ", kBadInput}));
    rank_ = all_->rank();
    size_ = all_->size();
  }
  asked_ = true;
  return all_ ? &*all_ : nullptr;
}

bool Ranks::speaks() {
  ask();
  return rank_ == 0;
}

int Ranks::size() {
  ask();
  return size_;
}

void Ranks::part() { all_.reset(); }

std::string Ranks::who() const {
  return size_ > 1 ? "rank " + std::to_string(rank_) + ": " : std::string();
}

}  // namespace roadplane::app
