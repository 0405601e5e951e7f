import { describe, expect, it } from 'vitest'
import { createIsolateBudget, type IsolateBudget } from '../../../src/platform/limits/isolate-budget.ts'

const limits = {
  maxBytes: 100,
  maxRunMs: 1000,
  maxSlotMs: 50,
  askingMs: 30,
}

const admitted = (budget: IsolateBudget, tenantId: string, nowMs = 0) => budget.enter(tenantId, nowMs)

describe('the budget of an isolate', () => {
  it('counts bytes as they arrive, over all runs', () => {
    const budget = createIsolateBudget(limits)
    const [a, b] = [admitted(budget, 'a'), admitted(budget, 'b')]
    expect([a.reserve(60), b.reserve(40), b.reserve(1), a.reserve(1)]).toEqual([true, true, false, false])
    a.leave()
    expect(b.reserve(60)).toBe(true)
  })

  it('always has room for a picture that is alone', () => {
    expect(admitted(createIsolateBudget(limits), 'a').reserve(1000)).toBe(true)
  })

  it('gives the slot to one run at a time', () => {
    const budget = createIsolateBudget(limits)
    const [a, b] = [admitted(budget, 'a'), admitted(budget, 'b')]
    expect([a.takeSlot(0), b.takeSlot(0)]).toEqual([true, false])
    a.leave()
    expect(b.takeSlot(1)).toBe(true)
  })

  it('gives the slot first to the tenant that had it longest ago, as long as its run polls', () => {
    const budget = createIsolateBudget(limits)
    const [first, second, other] = [admitted(budget, 'a'), admitted(budget, 'a'), admitted(budget, 'b')]
    expect([first.takeSlot(1), second.takeSlot(2), other.takeSlot(3)]).toEqual([true, false, false])
    first.leave()
    expect([second.takeSlot(10), other.takeSlot(11)]).toEqual([false, true])
    other.leave()
    expect(second.takeSlot(12)).toBe(true)
    second.leave()
    const [cut, next] = [admitted(budget, 'b'), admitted(budget, 'a')]
    next.takeSlot(20)
    expect([cut.takeSlot(21), next.leave()]).toEqual([false, undefined])
    const last = admitted(budget, 'a')
    expect([last.takeSlot(50), last.takeSlot(51)]).toEqual([false, true])
  })

  it('takes the slot and the memory back from a run that was cut off', () => {
    const budget = createIsolateBudget(limits)
    const cut = admitted(budget, 'a')
    cut.reserve(100)
    cut.takeSlot(0)
    const other = admitted(budget, 'b')
    expect([other.takeSlot(49), other.takeSlot(50)]).toEqual([false, true])
    expect(admitted(budget, 'a', 999).reserve(100)).toBe(false)
    expect(admitted(budget, 'a', 1000).reserve(100)).toBe(true)
  })
})
