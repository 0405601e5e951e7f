import { expect, test } from 'vitest'
import { removeCutOffLines } from '../../../src/vision/measure/measure-garment.ts'

const axis = { origin: [100, 0] as const, degrees: 0 }
const picture = { width: 200, height: 300 }

const leaveOut = (lines: Parameters<typeof removeCutOffLines>[0]['lines'], landmarks = {}) =>
  removeCutOffLines({ lines, landmarks }, axis, picture).map(({ name }) => name)

const namesOf = (hem: readonly [number, number], opening: readonly [number, number]) =>
  leaveOut([
    { name: 'Chest', from: [-60, 80], to: [60, 80] },
    { name: 'Body Length', from: [20, 10], to: [20, 298] },
    { name: 'Hem', from: [-70, hem[0]], to: [70, hem[1]] },
    { name: 'Inseam', from: [0, 90], to: [-10, 298] },
    { name: 'Outseam', from: [50, 10], to: [60, 298] },
    { name: 'Leg Opening', from: [10, opening[0]], to: [60, opening[1]] },
  ])

test('an end both of whose corners lie in the edge of the picture is not measured, nor what reaches to it', () => {
  expect(namesOf([299, 299], [280, 299])).toEqual(['Chest', 'Inseam', 'Outseam', 'Leg Opening'])
  expect(namesOf([299, 280], [299, 299])).toEqual(['Chest', 'Body Length', 'Hem'])
})

test('what only touches the edge of the picture is measured', () => {
  expect(namesOf([299, 290], [280, 299])).toHaveLength(6)
})

test('a hip between the edges of the cloth is not measured where one of them is that of the picture', () => {
  const hip = (right: number) => [{ name: 'Hip', from: [-60, 80], to: [right, 80] }] as const
  expect([leaveOut(hip(97)), leaveOut(hip(98.5))]).toEqual([['Hip'], []])
  const waist = { name: 'Waist', from: [-60, 0], to: [60, 0] } as const
  expect(leaveOut([waist, ...hip(97)])).toEqual(['Waist'])
})

test('what ends beyond the picture is not measured', () => {
  const lines = [
    { name: 'Shoulder', from: [-60, 20], to: [108, 20] },
    { name: 'Chest', from: [-100.6, 80], to: [60, 80] },
    { name: 'Body Length', from: [20, 10], to: [20, 304] },
  ] as const
  expect(leaveOut(lines)).toEqual(['Chest'])
})

test('a sleeve that goes on beyond the edge of the picture is not measured, and one that only touches it is', () => {
  const lines = [{ name: 'Sleeve Length', from: [60, 40], to: [99.5, 150] }] as const
  const left = { cuffL: [-98, 150] } as const
  expect(leaveOut(lines, { ...left, cuffR: [98, 140] })).toEqual([])
  expect(leaveOut(lines, { ...left, cuffR: [90, 146] })).toEqual(['Sleeve Length'])
  expect(leaveOut([{ name: 'Sleeve Length', from: [60, 40], to: [92, 150] }], { cuffR: [98, 140] })).toEqual([
    'Sleeve Length',
  ])
  const other = { name: 'Sleeve Length', from: [-60, 40], to: [-90, 150] } as const
  expect(leaveOut([...lines, other], { cuffL: [-82, 146], cuffR: [98, 140] })).toEqual(['Sleeve Length'])
})
