#pragma once

// What a user of roadplane::core needs, from points in memory to plane, labels and score. It needs
// Eigen only.

#include "roadplane/base/input_error.hpp"
#include "roadplane/dpcp/find_plane.hpp"
#include "roadplane/dpcp/plane_tracker.hpp"
#include "roadplane/evaluation/confusion.hpp"
#include "roadplane/evaluation/plane_distance.hpp"
#include "roadplane/evaluation/recovery_error.hpp"
#include "roadplane/evaluation/scoring.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/plane.hpp"
#include "roadplane/geometry/point.hpp"
#include "roadplane/geometry/shards.hpp"
#include "roadplane/ground/labelling.hpp"
#include "roadplane/ground/relief.hpp"
#include "roadplane/ground/road.hpp"
#include "roadplane/ground/target.hpp"
#include "roadplane/network/channel.hpp"
#include "roadplane/network/network.hpp"
#include "roadplane/objective/objective.hpp"
#include "roadplane/solver/method.hpp"
#include "roadplane/solver/registry.hpp"
