/** One line per gas; the two lines are one factor. */
export const TEMPLATE = `scope,category,name,activity_path,region,unit,calorific_basis,boundary,gas,kg,basis,biogenic,valid_from,valid_to,table,rows,note
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CO2,1.921,gas,no,2025-01-01,2025-12-31,Table A6.1,Ontario,
1,Stationary combustion,Natural gas,combustion/natural-gas,CA-ON,m3,,ttw,CH4,0.000037,gas,no,2025-01-01,2025-12-31,Table A6.1,Ontario,
`
