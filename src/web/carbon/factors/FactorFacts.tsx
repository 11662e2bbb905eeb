import type { ReactNode } from 'react'
import type { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FactList } from '#web/ui/record/Facts.tsx'
import { BOUNDARY_NAMES, ORIGIN_NAMES, showScopes, showUnit, showValidity } from './factor-labels.ts'
import { FactorFigures } from './FactorFigures.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

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
      <FactList
        facts={[
          ['Activity', factor.activity],
          ['Scope', showScopes(factor.scopes)],
          ['Region', factor.region === 'any' ? 'Any' : factor.region],
          ['Unit', showUnit(factor)],
          ['Price year', factor.priceYear],
          ['Covers', BOUNDARY_NAMES[factor.boundary]],
          ['Valid', showValidity(factor)],
          ['Citation', citation.filter((part) => part !== null).join(' \u00b7 ')],
          ['Source', factor.sourceNote],
          ['License', `${factor.license}. ${factor.attribution}`],
          [
            'URL',
            factor.url !== null && (
              <a key="url" href={factor.url} target="_blank" rel="noreferrer">
                {factor.url}
              </a>
            ),
          ],
          ['Note', factor.note],
          ['Added by', factor.createdBy],
          [
            'Previous versions',
            replaces.length > 0 &&
              replaces.map(({ id }, at) => (
                <span key={id}>
                  {at > 0 && ', '}
                  <RowLink id={id}>version {id}</RowLink>
                </span>
              )),
          ],
        ]}
      />
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
