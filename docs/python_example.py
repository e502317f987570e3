# %% [markdown]
# # The road in a scan, from Python
# Cells for an editor that knows `# %%`, or run it as it is:
# `roadplane synth street && python3 docs/python_example.py street picture.jpg` (needs python3-matplotlib).

# %%
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import roadplane

path, picture = sys.argv[1:3]
dataset = roadplane.open_dataset(path)
frame = dataset[0]
points = frame.points
print(dataset, frame, points.shape, points.dtype)

# %% [markdown]
# ## The road
# Sixteen agents, each with a sector of the scan, agree on its plane.

# %%
road = roadplane.segment(points)
plane = road.plane
print(f"{road.status}: sensor {plane.height_m:.3f} m above the road "
      f"(95 %: {plane.height_m_95[0]:.3f} to {plane.height_m_95[1]:.3f}), tilt {plane.tilt_deg:.2f} deg")  # fmt: skip
print("each agent sent", round(road.record["bytes_per_agent"] / 1e3, 1), "kB in", road.record["rounds"], "rounds")

# %% [markdown]
# ## All ground, and how high the rest stands above it

# %%
ground = roadplane.ground(points)
if frame.labels is not None:
    for name, result in (("road", road), ("ground", ground)):
        score = roadplane.score(result.labels, frame.labels, points, target=name)
        print(f"{name}: F1 {score.f1:.3f}, precision {score.precision:.3f}, recall {score.recall:.3f}")

# %% [markdown]
# ## Pictures
# Above, the points that the camera sees, on its picture; below, the scan from above by height over the ground.

# %%
figure, (photo, above) = plt.subplots(2, 1, figsize=(10, 8), height_ratios=(2, 3), constrained_layout=True)
if frame.image is not None and frame.calibration is not None:
    q = np.c_[points[:, :3], np.ones(len(points))] @ frame.calibration.T
    u, v = q[:, 0] / q[:, 2], q[:, 1] / q[:, 2]
    height, width, _ = frame.image.shape
    seen = (q[:, 2] > 1) & (0 <= u) & (u < width) & (0 <= v) & (v < height)
    photo.imshow(frame.image)
    for mask, colour in ((~road.labels, "tab:red"), (road.labels, "tab:blue")):
        photo.scatter(u[seen & mask], v[seen & mask], s=0.3, c=colour)
photo.set_title(f"road blue, the rest red; sensor {plane.height_m:.2f} m above it")
photo.axis("off")

valid = np.isfinite(ground.distances)
shown = above.scatter(points[valid, 0], points[valid, 1], s=0.3, c=ground.distances[valid], vmin=0, vmax=2.5)
above.set(xlim=(-30, 50), ylim=(-18, 18), aspect="equal", xlabel="x, forward [m]", ylabel="y, left [m]",
          title="height above the ground")  # fmt: skip
figure.colorbar(shown, ax=above, label="[m]", shrink=0.8)
figure.savefig(picture, dpi=100)
print("picture:", picture)
