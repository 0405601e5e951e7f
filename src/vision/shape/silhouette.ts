import type { Point } from '../picture.ts'
import { type Axis, toFrame } from './find-axis.ts'

/** A stretch of cloth in a row of the garment's frame. */
export interface Run {
  readonly left: number
  readonly right: number
}

/** The garment in its own frame: rows of runs one pixel apart, and the outline. */
export interface Silhouette {
  readonly axis: Axis
  /** v of the first row; row i lies at `top + i`. */
  readonly top: number
  readonly rows: readonly (readonly Run[])[]
  readonly outline: readonly Point[]
  readonly height: number
  readonly left: number
  readonly right: number
}

/**
 * Cuts the outline and the holes in it (in pixels of the picture) into rows of the garment's frame, edges exact to a
 * fraction of a pixel.
 */
export function cutRows(outline: readonly Point[], axis: Axis, holes: readonly (readonly Point[])[] = []): Silhouette {
  const turned = outline.map((point) => toFrame(axis, point))
  const top = Math.ceil(Math.min(...turned.map(([, v]) => v)))
  const bottom = Math.floor(Math.max(...turned.map(([, v]) => v)))
  const crossings: number[][] = Array.from({ length: Math.max(1, bottom - top + 1) }, () => [])
  for (const border of [turned, ...holes.map((hole) => hole.map((point) => toFrame(axis, point)))]) {
    border.forEach(([u0, v0], index) => {
      const [u1, v1] = border[(index + 1) % border.length]!
      const low = Math.min(v0, v1)
      const high = Math.max(v0, v1)
      for (let v = Math.ceil(low); v < high; v++) crossings[v - top]?.push(u0 + ((v - v0) / (v1 - v0)) * (u1 - u0))
    })
  }
  const rows = crossings.map((us) => {
    us.sort((a, b) => a - b)
    const runs: Run[] = []
    for (let i = 0; i + 1 < us.length; i += 2)
      if (us[i + 1]! - us[i]! >= 1) runs.push({ left: us[i]!, right: us[i + 1]! })
    return runs
  })
  const us = turned.map(([u]) => u)
  return { axis, top, rows, outline: turned, height: rows.length, left: Math.min(...us), right: Math.max(...us) }
}

/** The runs of the row nearest to v. */
export function runsAt({ rows, top }: Silhouette, v: number): readonly Run[] {
  return rows[Math.max(0, Math.min(rows.length - 1, Math.round(v - top)))] ?? []
}

/** The run of a row that holds the centre line, or else the nearest one within `reach`. */
export function centralRun(runs: readonly Run[], reach = 0): Run | undefined {
  return runs.find(({ left, right }) => left <= reach && right >= -reach)
}

/** From the first edge of a row to its last. */
export function extent(runs: readonly Run[]): Run | undefined {
  const first = runs[0]
  const last = runs.at(-1)
  return first === undefined || last === undefined ? undefined : { left: first.left, right: last.right }
}

/** Width of the central run at v, 0 where there is none. */
export function widthAt(silhouette: Silhouette, v: number): number {
  const run = centralRun(runsAt(silhouette, v))
  return run === undefined ? 0 : run.right - run.left
}

/** The least width of the middle of the garment. */
export function bodyWidth(silhouette: Silhouette): number {
  const { top, height, left, right } = silhouette
  const widths = Array.from({ length: Math.ceil(height * 0.4) }, (_, row) =>
    widthAt(silhouette, top + height * 0.3 + row),
  ).filter((width) => width > 0)
  return widths.length === 0 ? right - left : Math.min(...widths)
}
