import type { Homography } from '../../../src/vision/card/homography.ts'
import type { Point } from '../../../src/vision/picture.ts'

export interface View {
  readonly width: number
  readonly height: number
  /** In pixels. */
  readonly focal: number
  /** The place of the plane in the middle of the picture, in centimetres, and how far the camera is from it. */
  readonly target: Point
  readonly distance: number
  /** Degrees: of the camera's axis against straight down, the direction of that, and how the camera is turned. */
  readonly tilt: number
  readonly direction: number
  readonly roll: number
}

/** The map from a plane, in centimetres, to the picture of a camera without distortion. */
export function mapOf({ width, height, focal, target, distance, tilt, direction, roll }: View): Homography {
  const [tiltCos, tiltSin] = cosSin(tilt)
  const [dirCos, dirSin] = cosSin(direction)
  const [rollCos, rollSin] = cosSin(roll)
  const place = ([x, y]: Point, weight: number): readonly [number, number, number] => {
    // In the plane: along the direction of the tilt, and across it.
    const along = x * dirCos + y * dirSin
    const across = y * dirCos - x * dirSin
    const [tilted, depth] = [along * tiltCos, along * tiltSin + distance * weight]
    const [u, v] = [tilted * dirCos - across * dirSin, tilted * dirSin + across * dirCos]
    return [u * rollCos - v * rollSin, u * rollSin + v * rollCos, depth]
  }
  const columns = [place([1, 0], 0), place([0, 1], 0), place([-target[0], -target[1]], 1)]
  const rows = [
    columns.map(([u, , depth]) => focal * u + ((width - 1) / 2) * depth),
    columns.map(([, v, depth]) => focal * v + ((height - 1) / 2) * depth),
    columns.map(([, , depth]) => depth),
  ]
  const last = rows[2]![2]!
  return rows.flat().map((value) => value / last)
}

function cosSin(degrees: number): readonly [number, number] {
  const turn = (degrees * Math.PI) / 180
  return [Math.cos(turn), Math.sin(turn)]
}
