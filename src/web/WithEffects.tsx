import { lazy } from 'react'
import { DetailsPage } from './customers/details/DetailsPage.tsx'
import { LotsPage } from './customers/lots/LotsPage.tsx'
import type { RecordDrawerProps } from './ui/record/RecordDrawer.tsx'

const SettingEffect = lazy(async () => ({
  default: (await import('./pricing/rules/SettingEffect.tsx')).SettingEffect,
}))
/** Loaded when a lot is opened: saves 30 kB for the list. */
const LotDrawer = lazy(async () => ({
  default: (await import('./customers/lots/LotDrawer.tsx')).LotDrawer,
}))

/** The details of the customer, with what a change does to the totals that buyers see. */
export const DetailsWithEffects = () => <DetailsPage Effect={SettingEffect} />

/** The lots, with the same. */
export const LotsWithEffects = () => <LotsPage Drawer={LotWithEffects} />

function LotWithEffects(props: RecordDrawerProps) {
  return <LotDrawer {...props} Effect={SettingEffect} />
}
