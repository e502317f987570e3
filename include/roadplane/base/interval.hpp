#pragma once

namespace roadplane {

/// What a number lies in with a given probability.
struct Interval {
  double low = 0;
  double high = 0;
};

}  // namespace roadplane
