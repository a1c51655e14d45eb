# What the pages of this guide begin with, for bash, at the root of the clone:
#
#   url=http://127.0.0.1:8080
#   . docs/guide/matter.sh
#
# It sets the names that getting-started.md explains. Its functions do what that page does, block by block, so that
# another page can begin in the middle of a matter.

api=$url/partner/api/platformconnect/v1
json='Content-Type: application/json'

# curl without progress output, with an exit code if the answer is an error, and with a line end after the answer.
curl() { command curl -sS --fail-with-body -w '\n' "$@"; }

# A part of a JSON answer: curl … | pick .workspaceId
pick() { node -p "JSON.parse(fs.readFileSync(0))$1"; }

# The header with an access token of a sandbox client.
bearer() {
  echo "Authorization: Bearer $(curl -u "$1:$1-secret" -d grant_type=client_credentials "$url/oauth/token" | pick .access_token)"
}

lender=$(bearer sandbox-lender)
firm=$(bearer sandbox-law-firm)

# Repeats a call until the answer contains a text, for a minute, and shows it: wait_for '"status":"ACTIVE"' "$api/…"
wait_for() {
  local answer
  for _ in {1..120}; do
    answer=$(curl -H "$firm" "$2") || { echo "$answer" >&2; return 1; }
    grep -F "$1" <<<"$answer" && return
    sleep 0.5
  done
  echo "There was no $1 within a minute. The last answer: $answer" >&2
  return 1
}

# A borrower that Harbour Conveyancing LLP acts for.
borrower() {
  cat <<JSON
{ "type": "INDIVIDUAL", "role": "BORROWER", "partyDetails": { "forenames": "$1", "surname": "$2" },
  "participants": [{ "id": "20000000-0000-4000-8000-000000000001", "role": "CONVEYANCER" }] }
JSON
}

# The lender opens a workspace, and the title is searched. Sets $workspace.
#   new_matter                              William and Tracey Prynne, ST500678
#   new_matter RQ100001 Grace Okafor        another title, with one proprietor
new_matter() {
  local title=${1:-ST500678} address borrowers
  case $title in
    RQ100001) address='{ "number": "18", "street": "Orchard Walk", "town": "Reading", "postcode": "RG4 9QN" }' ;;
    *) address='{ "number": "12", "street": "Cothelstone Close", "town": "Taunton", "postcode": "TA1 9QH" }' ;;
  esac
  if [ $# = 3 ]; then borrowers=$(borrower "$2" "$3"); else borrowers="$(borrower William Prynne), $(borrower Tracey Prynne)"; fi
  workspace=$(curl -X POST "$api/remortgage/workspaces" -H "$lender" -H "$json" -d @- <<JSON | pick .workspaceId
{
  "reference": "GUIDE-1",
  "property": {
    "securityAddress": $address,
    "titleNumber": "$title"
  },
  "parties": [$borrowers]
}
JSON
  )
  wait_for '"borrowersValidationStatus":"VALID"' "$api/workspaces/$workspace" >/dev/null
}

# The law firm acts for every party. Returns when each representation has its outcome.
represent() {
  local party
  for party in $(curl -H "$firm" "$api/workspaces/$workspace" | pick '.parties.map(p => p.partyId).join(" ")'); do
    curl -X POST "$api/workspaces/$workspace/representation" -H "$firm" -H "$json" -d @- >/dev/null <<JSON
{ "partyId": "$party", "representedBy": "PLATFORM_SUBSCRIBER_LAW_FIRM" }
JSON
  done
  while curl -H "$firm" "$api/workspaces/$workspace/representation" | grep -q '"status":"QUEUED"'; do sleep 0.2; done
}

# The law firm fills in the deed and attaches it. Sets $lodgement and $deed.
prepare() {
  local cases file
  cases=$(curl -H "$firm" "$api/lodgement-cases?workspace_id=$workspace")
  lodgement=$(pick '.records[0].lodgementCaseId' <<<"$cases")
  deed=$(pick '.records[0].applications.find(a => a.applicationType === "MORTGAGE_DEED").applicationId' <<<"$cases")
  curl -X PATCH "$api/lodgement-cases/$lodgement/applications/$deed" -H "$firm" -H "$json" -d '{
    "transactionValue": 206000, "mortgageDeedReference": "MD431C", "mortgageDeedReferenceType": "PAPER"
  }' >/dev/null
  file=$(curl -X POST "$api/lodgement-cases/$lodgement/applications/$deed/attachments" -H "$firm" \
    -F documentType=MORTGAGE_DEED -F documentCategory=APPLICATION_DOCUMENT -F certificationType=CERTIFIED \
    -F 'file=@docs/guide/sample-deed.pdf;type=application/pdf' | pick .fileId)
  wait_for '"fileUploadStatus":"SUCCESS"' "$api/workspaces/$workspace/files/$file" >/dev/null
}

# The law firm approves the case.
approve() {
  curl -X POST "$api/workspaces/$workspace/lodgement-approvals" -H "$firm" -H "$json" -d @- >/dev/null <<JSON
{ "action": "APPROVE", "workspaceId": "$workspace", "approvedBy": "jo.marsh@harbour.example" }
JSON
}

# The law firm prepares the schedule and approves it, and the lender authorises the funds. Sets $completion.
fund() {
  local schedule
  schedule=$(curl -H "$firm" "$api/financial-settlement-schedules?workspace_id=$workspace" | pick '.records[0].financialSettlementScheduleId')
  completion=$(curl -H "$firm" "$api/business-days?limit=2" | pick '.records[1].date')
  curl -X PATCH "$api/financial-settlement-schedules/$schedule" -H "$firm" -H "$json" \
    -d "{ \"completionDate\": \"$completion\" }" >/dev/null
  curl -X POST "$api/financial-settlement-schedules/$schedule/line-items" -H "$firm" -H "$json" >/dev/null -d '{
    "type": "SOURCE", "category": "Mortgage Advance", "amount": 206000, "reference": "ADVANCE"
  }'
  curl -X POST "$api/financial-settlement-schedules/$schedule/line-items" -H "$firm" -H "$json" >/dev/null -d '{
    "type": "DESTINATION", "category": "Redemption", "amount": 206000, "reference": "REDEMPTION 4471",
    "bankAccount": { "accountName": "Eastmoor Bank plc", "accountNumber": "40117788", "sortCode": "200000" }
  }'
  curl -X POST "$api/workspaces/$workspace/financial-approvals" -H "$firm" -H "$json" >/dev/null -d '{
    "action": "APPROVE", "approvedBy": "jo.marsh@harbour.example"
  }'
  curl -X POST "$api/workspaces/$workspace/funds-authorisation" -H "$lender" -H "$json" -d @- >/dev/null <<JSON
{ "completionDate": "$completion", "lineItem": { "authorised": true, "category": "Mortgage Advance", "amount": 206000 } }
JSON
}
