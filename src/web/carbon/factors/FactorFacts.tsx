import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { BOUNDARY_NAMES, ORIGIN_NAMES, showScopes, showUnit, showValidity } from './factor-labels.ts'
import { FactorFigures } from './FactorFigures.tsx'

/** One factor: its emissions per unit with each GWP set, the formula, and its source. */
export function FactorFacts({ factor }: { factor: Factor }) {
  const { supersededBy, use, replaces } = factor
  const citation = [factor.publisher, factor.dataset, factor.edition, factor.table, factor.rows]
  return (
    <div className="fc-factor">
      <div className="fc-factor-status">
        <Status tone={factor.origin === 'library' ? 'good' : 'info'} mark="check" isPill>
          {ORIGIN_NAMES[factor.origin]}
        </Status>
        {supersededBy !== null && (
          <Status tone="mute" mark="dash" isPill>
            Replaced
          </Status>
        )}
        {use === 'avoided' && (
          <Status tone="warn" mark="alert" isPill>
            Avoided emissions only, not for inventories
          </Status>
        )}
        {supersededBy !== null && <RowLink id={supersededBy}>View current version</RowLink>}
      </div>
      <FactorFigures factor={factor} />
      <dl className="fc-factor-facts">
        <Fact title="Activity">{factor.activity}</Fact>
        <Fact title="Scope">{showScopes(factor.scopes)}</Fact>
        <Fact title="Region">{factor.region === 'any' ? 'Any' : factor.region}</Fact>
        <Fact title="Unit">{showUnit(factor)}</Fact>
        {factor.priceYear !== null && <Fact title="Price year">{String(factor.priceYear)}</Fact>}
        <Fact title="Covers">{BOUNDARY_NAMES[factor.boundary]}</Fact>
        <Fact title="Valid">{showValidity(factor)}</Fact>
        <Fact title="Citation">{citation.filter((part) => part !== null).join(' \u00b7 ')}</Fact>
        {factor.sourceNote !== null && <Fact title="Source">{factor.sourceNote}</Fact>}
        <Fact title="License">{`${factor.license}. ${factor.attribution}`}</Fact>
        {factor.url !== null && (
          <Fact title="URL">
            <a href={factor.url} target="_blank" rel="noreferrer">
              {factor.url}
            </a>
          </Fact>
        )}
        {factor.note !== null && <Fact title="Note">{factor.note}</Fact>}
        {factor.createdBy !== null && <Fact title="Added by">{factor.createdBy}</Fact>}
        {replaces.length > 0 && (
          <Fact title="Previous versions">
            {replaces.map(({ id }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <RowLink id={id}>version {id}</RowLink>
              </span>
            ))}
          </Fact>
        )}
      </dl>
    </div>
  )
}

function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      from="/carbon/factors"
      to="/carbon/factors"
      search={(before) => ({ ...before, factor: id, drawer: undefined })}
    >
      {children}
    </Link>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
