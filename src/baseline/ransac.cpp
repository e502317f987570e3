#include "roadplane/baseline/ransac.hpp"

#include <pcl/console/print.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/sample_consensus/ransac.h>
#include <pcl/sample_consensus/sac_model_plane.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "roadplane/base/field_error.hpp"
#include "roadplane/base/stopwatch.hpp"
#include "roadplane/dpcp/spectrum.hpp"
#include "roadplane/geometry/homogeneous_cloud.hpp"
#include "roadplane/geometry/upwards.hpp"

namespace roadplane {
namespace {

using PclCloud = pcl::PointCloud<pcl::PointXYZ>;

/// PCL seeds its generator with a constant or with the time, so a seed has to come in from below.
class SeededPlaneModel : public pcl::SampleConsensusModelPlane<pcl::PointXYZ> {
 public:
  SeededPlaneModel(const PclCloud::ConstPtr& cloud, std::uint32_t seed)
      : pcl::SampleConsensusModelPlane<pcl::PointXYZ>(cloud) {
    rng_alg_.seed(seed);
  }
};

/// Tells how many samples it drew, which PCL keeps to itself.
class CountingRansac : public pcl::RandomSampleConsensus<pcl::PointXYZ> {
 public:
  using pcl::RandomSampleConsensus<pcl::PointXYZ>::RandomSampleConsensus;
  int iterations() const { return iterations_; }
};

PclCloud::Ptr to_pcl(PointSpan points, std::span<const std::uint32_t> usable) {
  auto cloud = pcl::make_shared<PclCloud>();
  cloud->reserve(usable.size());
  for (const std::uint32_t k : usable) {
    cloud->push_back(pcl::PointXYZ(points[k].x, points[k].y, points[k].z));
  }
  return cloud;
}

void search(PointSpan points, std::span<const std::uint32_t> usable, const RansacOptions& options,
            RansacResult& result) {
  const auto model = pcl::make_shared<SeededPlaneModel>(to_pcl(points, usable), options.seed);
  CountingRansac ransac(model, options.threshold_m);
  ransac.setMaxIterations(options.max_iterations);
  ransac.setProbability(options.probability);
  if (!ransac.computeModel()) {
    result.degeneracy = "RANSAC found no three points that span a plane";
    return;
  }
  result.iterations = ransac.iterations();
  pcl::Indices inliers;
  ransac.getInliers(inliers);
  Eigen::VectorXf plane;
  ransac.getModelCoefficients(plane);
  if (options.optimise) {
    Eigen::VectorXf refined;
    model->optimizeModelCoefficients(inliers, plane, refined);
    plane = refined;
    model->selectWithinDistance(plane, options.threshold_m, inliers);
  }
  const Eigen::Vector4d w = plane.cast<double>();
  if (!w.allFinite() || w.norm() == 0) {
    result.degeneracy = "RANSAC found a plane that is not finite";
    return;
  }
  result.w = upwards(w.normalized());
  result.inliers = inliers.size();
}

}  // namespace

void RansacOptions::validate() const {
  require(threshold_m > 0 && std::isfinite(threshold_m), "ransac.threshold_m",
          "a number of metres above 0", threshold_m);
  require(max_iterations >= 1, "ransac.max_iterations", "at least 1", max_iterations);
  require(probability > 0 && probability < 1, "ransac.probability", "a number between 0 and 1",
          probability);
}

RansacResult fit_ransac(PointSpan points, const RansacOptions& options) {
  options.validate();
  pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS);
  RansacResult result;
  HomogeneousCloud cloud;
  cloud.assign(points);
  const Spectrum spectrum(cloud.second_moment(), static_cast<double>(cloud.size()));
  result.degeneracy = spectrum.degeneracy();
  if (!result.found()) return result;

  std::vector<std::uint32_t> usable(cloud.index().begin(), cloud.index().end());
  std::sort(usable.begin(), usable.end());  // PCL's draws are of the scan's own order
  const Stopwatch watch;
  search(points, usable, options, result);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace roadplane
