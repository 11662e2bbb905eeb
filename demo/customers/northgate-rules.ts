import type { DemoRule } from '../demo-rules.ts'

/**
 * Rules of every kind. One is over, one hasn't started, one is blocked by the minimum price, and one never applies, because
 * another rule of its group is always better for the buyer.
 */
export const NORTHGATE_RULES: readonly DemoRule[] = [
  {
    name: 'Certified Corolla at $100 below market',
    kind: 'base',
    condition: 'model == "Corolla" && condition == "cpo"',
    percent: 100,
    field: 'marketPrice',
    cents: -10_000,
  },
  {
    name: 'Aging stock',
    label: 'Dealer discount',
    kind: 'discount',
    condition: 'condition == "used"',
    steps: [
      { days: 45, cents: 30_000 },
      { days: 75, cents: 75_000 },
      { days: 90, cents: 115_000 },
    ],
  },
  {
    name: 'Clearance',
    kind: 'discount',
    condition: 'make == "Ford" && condition == "new"',
    percent: 2,
    field: 'price',
    fromDay: -23,
    untilDay: 7,
  },
  {
    name: 'Truck month',
    kind: 'discount',
    condition: 'model == "F-150"',
    cents: 80_000,
    exclusiveGroup: 'Trucks',
  },
  {
    name: 'Truck flyer',
    kind: 'discount',
    condition: 'model == "F-150"',
    cents: 50_000,
    exclusiveGroup: 'Trucks',
  },
  { name: 'Summer sale', kind: 'discount', cents: 50_000, untilDay: -84 },
  {
    name: 'Year-end event',
    kind: 'discount',
    condition: 'condition == "new"',
    percent: 1.5,
    field: 'msrp',
    fromDay: 21,
    untilDay: 40,
  },
  { name: 'Certified inspection', kind: 'accessory', condition: 'condition == "cpo"', cents: 39_500 },
  {
    name: 'New vehicles at most at MSRP',
    kind: 'ceiling',
    condition: 'condition == "new"',
    percent: 100,
    field: 'msrp',
  },
  {
    name: 'Ford Retail Customer Cash',
    kind: 'rebate',
    condition: 'make == "Ford" && condition == "new"',
    cents: 100_000,
    untilDay: 42,
  },
  {
    name: 'Military appreciation',
    label: 'Military appreciation',
    kind: 'offer',
    condition: 'condition == "new"',
    cents: 50_000,
    qualifier: 'Active duty, reservists and veterans with proof of service',
    disclaimer: "One per household. Can't be combined with first responder offers.",
    untilDay: 38,
  },
  {
    name: 'Cost plus $500',
    kind: 'floor',
    field: 'cost',
    percent: 100,
    cents: 50_000,
    condition: 'condition != "new"',
  },
  {
    name: 'Toyota minimum advertised price',
    kind: 'floor',
    field: 'msrp',
    percent: 94,
    condition: 'make == "Toyota" && condition == "new"',
  },
  {
    name: 'Prices end in 95',
    kind: 'rounding',
    cents: 9_500,
    stepCents: 10_000,
    condition: 'condition != "new"',
  },
]
