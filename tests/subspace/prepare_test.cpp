#include "roadplane/subspace/prepare.hpp"

#include <gtest/gtest.h>

#include "support/input_error.hpp"
#include "support/random_data.hpp"

namespace roadplane {
namespace {

using Eigen::MatrixXd;
using Normalise = Preparation::Normalise;

/// Seven points over three agents on a path.
struct Prepared {
  MatrixXd all;

  Prepared(const MatrixXd& columns, const Preparation& preparation) {
    const Network network(Graph::path(3));
    LocalChannel channel(network);
    Ledger ledger(channel);
    SharedPoints points{{columns.leftCols(3), columns.middleCols(3, 2), columns.rightCols(2)}, 7};
    points = prepare(channel, std::move(points), preparation, ledger);
    all.resize(points.n(), 7);
    all << points.shards[0], points.shards[1], points.shards[2];
  }
};

MatrixXd seven_points() { return test::random_matrix(3, 7, 1).array() + 100; }

TEST(Prepare, CentresOnTheMeanOfAllPoints) {
  const MatrixXd points = seven_points();
  const MatrixXd expected = points.colwise() - points.rowwise().mean();
  EXPECT_NEAR((Prepared(points, {.centre = true}).all - expected).norm(), 0, 1e-9);
  EXPECT_EQ(Prepared(points, {}).all, points);
}

TEST(Prepare, MakesDeviationsOne) {
  const MatrixXd points = seven_points();
  const MatrixXd scaled = Prepared(points, {.normalise = Normalise::features}).all;
  const MatrixXd centred = scaled.colwise() - scaled.rowwise().mean();
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(centred.row(r).squaredNorm() / 7, 1, 1e-9);
  EXPECT_GT(scaled.row(0).mean(), 10);  // where nobody asked to centre
  const MatrixXd both = Prepared(points, {.centre = true, .normalise = Normalise::features}).all;
  EXPECT_NEAR((both - centred).norm(), 0, 1e-8);
}

TEST(Prepare, MakesPointsHomogeneousThenOfLengthOne) {
  MatrixXd points = seven_points();
  points.col(4).setZero();
  const MatrixXd unit = Prepared(points, {.normalise = Normalise::points}).all;
  EXPECT_NEAR(unit.col(0).norm(), 1, 1e-15);
  EXPECT_EQ(unit.col(4).norm(), 0);  // a point without a direction stays where it is
  const MatrixXd all = Prepared(points, {.homogeneous = true, .normalise = Normalise::points}).all;
  EXPECT_EQ(all.rows(), 4);
  EXPECT_EQ(all.col(4), Eigen::Vector4d::UnitW());
  EXPECT_NEAR((all.col(0).head(3) / all(3, 0) - points.col(0)).norm(), 0, 1e-12);
}

TEST(Prepare, RefusesToScaleAConstant) {
  MatrixXd points = seven_points();
  points.row(1).setConstant(5);
  test::expect_one_line([&] { Prepared(points, {.normalise = Normalise::features}); }, "column 2",
                        "always 5");
}

}  // namespace
}  // namespace roadplane
