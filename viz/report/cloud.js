// The labelled scan in 3-D: x forward, y left, z up, as the sensor has them.

const kColourings = [['label', 'labels'], ['hits and misses', 'truth'], ['agent', 'agents'],
                     ['distance to the plane', 'distance'], ['height above the ground', 'height']];
const kMostDistance = 0.5;  // [m] where the distance's colours end

/// From the plane (blue) over green and yellow to far away (red), all bright on the dark ground.
const kRamp = [[70, 150, 255], [70, 215, 190], [150, 225, 90], [250, 215, 60], [240, 70, 50]];
function rampColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (kRamp.length - 1);
  const k = Math.min(Math.floor(at), kRamp.length - 2);
  return kRamp[k].map((value, c) => value + (at - k) * (kRamp[k + 1][c] - value));
}

/// A cloud's arrays, decoded when it is first looked at.
function unpacked(cloud) {
  if (!cloud.positions) {
    const xyz = new Int16Array(decode(cloud.xyz).buffer);
    cloud.positions = Float32Array.from(xyz, (value) => value * cloud.quantum);
    cloud.roadBits = decode(cloud.road);
    cloud.truthBytes = cloud.truth ? decode(cloud.truth) : null;
    cloud.agentBytes = cloud.agent ? decode(cloud.agent) : null;
    cloud.heightBytes = cloud.height ? new Int8Array(decode(cloud.height).buffer) : null;
    cloud.bytesPerPoint = cloud.roadBits.length / cloud.points;
  }
  return cloud;
}

/// 1 if the method labels the point road, else 0.
const roadBit = (cloud, method, i) => (cloud.roadBits[i * cloud.bytesPerPoint + (method >> 3)] >> (method & 7)) & 1;

/// The colour of point i; palettes are in the order of the pictures' own.
function colourOf(cloud, plane, method, colouring) {
  const palettes = report.palettes;
  if (colouring === 'distance') {
    const [nx, ny, nz] = plane.normal;
    const p = cloud.positions;
    return (i) => rampColour(Math.abs(nx * p[3 * i] + ny * p[3 * i + 1] + nz * p[3 * i + 2] + plane.offset) / kMostDistance);
  }
  if (colouring === 'height') return (i) => rampColour(Math.abs(cloud.heightBytes[i]) / 100 / kMostDistance);
  const road = (i) => roadBit(cloud, method, i);
  if (colouring === 'truth') return (i) => palettes.truth[2 * cloud.truthBytes[i] + road(i)];
  if (colouring === 'agents') return (i) => palettes.agents[2 * cloud.agentBytes[i] + road(i)];
  return (i) => palettes.labels[road(i)];
}

function coloursOf(cloud, plane, method, colouring) {
  const colour = colourOf(cloud, plane, method, colouring);
  const colours = new Uint8Array(3 * cloud.points);
  for (let i = 0; i < cloud.points; ++i) colours.set(colour(i), 3 * i);
  return colours;
}

/// A see-through square of 60 m on the plane, in front of and behind the sensor.
function planeMesh({ normal, offset }) {
  const mesh = new THREE.Mesh(
    new THREE.PlaneBufferGeometry(60, 60),
    new THREE.MeshBasicMaterial({ color: 0x88aaff, transparent: true, opacity: 0.18, side: THREE.DoubleSide, depthWrite: false }));
  const up = new THREE.Vector3(...normal);
  mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
  mesh.position.copy(up.multiplyScalar(-offset));
  return mesh;
}

/// Where the road ends, and the ground that something hides.
function roadObjects(road) {
  const geometryOf = (text) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(decode(text).buffer), 3));
    return geometry;
  };
  const { edge, hidden } = report.roadColours;
  const colour = (rgb) => new THREE.Color(...rgb.map((value) => value / 255));
  return [
    new THREE.LineSegments(geometryOf(road.edges), new THREE.LineBasicMaterial({ color: colour(edge) })),
    new THREE.Mesh(geometryOf(road.hidden), new THREE.MeshBasicMaterial(
      { color: colour(hidden), transparent: true, opacity: 0.5, side: THREE.DoubleSide, depthWrite: false })),
  ];
}

class CloudView {
  constructor(place) {
    this.place = place;
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.domElement.tabIndex = 0;
    this.renderer.domElement.setAttribute('aria-label', 'the scan in 3-D; arrow keys move it');
    place.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(50, 1, 0.1, 1000);
    this.camera.up.set(0, 0, 1);
    this.material = new THREE.PointsMaterial({ vertexColors: THREE.VertexColors, sizeAttenuation: false });
    this.controls = new THREE.OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener('change', () => this.ask());
    this.visible = true;
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.ask();
    }).observe(place);
    new ResizeObserver(() => this.resize()).observe(place);
    this.reset();
    this.resize();
  }

  reset() {
    this.camera.position.set(-28, 0, 20);
    this.controls.target.set(8, 0, -1.5);
    this.controls.update();
  }

  resize() {
    const { clientWidth, clientHeight } = this.place;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /// Draws with the next picture of the screen, and again as long as it turns and is in view.
  ask() {
    if (this.asked || !this.visible) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.controls.update();
      this.draw();
      if (this.controls.autoRotate) this.ask();
    });
  }

  draw() {
    this.renderer.setClearColor(style('--scene'));
    this.renderer.render(this.scene, this.camera);
  }

  show(positions, colours, plane, road) {
    for (const { geometry } of this.scene.children) geometry.dispose();
    this.scene.remove(...this.scene.children);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3, true));
    this.scene.add(new THREE.Points(geometry, this.material));
    if (plane) this.scene.add(planeMesh(plane));
    if (road) this.scene.add(...roadObjects(road));
    this.draw();
  }
}
