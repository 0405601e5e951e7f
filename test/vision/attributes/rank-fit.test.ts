import { describe, expect, it } from 'vitest'
import { rankFit } from '../../../src/vision/attributes/rank-fit.ts'

const best = (...args: Parameters<typeof rankFit>) => rankFit(...args)[0]?.value

describe('rankFit', () => {
  it.each([
    [40, 'Slim'],
    [53, 'Regular'],
    [60, 'Relaxed'],
    [72, 'Oversized'],
  ])('calls a T-shirt %i wide and 72 long %s', (chest, fit) => {
    expect(best('T-Shirt', { Chest: chest, 'Body Length': 72 })).toBe(fit)
  })

  it.each([
    [11, 'Skinny'],
    [19, 'Straight'],
    [26, 'Wide Leg'],
  ])('calls trousers with a leg opening of %i to a hip of 50 %s', (opening, fit) => {
    expect(best('Trousers', { 'Leg Opening': opening, Hip: 50 })).toBe(fit)
  })

  it.each([
    [36, 'Pencil'],
    [70, 'A-Line'],
  ])('calls a skirt with a hem of %i to a hip of 50 %s', (hem, fit) => {
    expect(best('Skirt', { Hem: hem, Hip: 50 })).toBe(fit)
  })

  it.each([
    [42, 44, 'Bodycon'],
    [50, 46, 'Shift'],
    [64, 41, 'A-Line'],
    [84, 36, 'Fit & Flare'],
  ])('calls a dress with a hem of %i and a waist of %i to a chest of 46 %s', (hem, waist, fit) => {
    expect(best('Dress', { Hem: hem, Waist: waist, Chest: 46 })).toBe(fit)
  })

  it('is the most usual where nothing was measured', () => {
    expect(best('Jumpsuit', {})).toBe('Regular')
  })

  it('is absent for bags and shoes', () => {
    expect(rankFit('Bag', { Width: 30 })).toEqual([])
    expect(rankFit('Boots', {})).toEqual([])
  })
})
