# What the pages of this guide begin with, for bash, at the root of the clone:
#
#   url=http://127.0.0.1:8080
#   . docs/guide/matter.sh
#
# It sets the names that getting-started.md explains. Its functions do what that page does, block by block, so that
# another page can begin in the middle of a matter.

api=$url/partner/api/platformconnect/v1
json='Content-Type: application/json'

# curl, but silent while it works, with an exit code for a refusal, and with a line end after the answer.
curl() { command curl -sS --fail-with-body -w '\n' "$@"; }

# A part of a JSON answer: curl … | pick .workspaceId
pick() { node -p "JSON.parse(fs.readFileSync(0))$1"; }

# The header that carries an access token of a sandbox client.
bearer() {
  echo "Authorization: Bearer $(curl -u "$1:$1-secret" -d grant_type=client_credentials "$url/oauth/token" | pick .access_token)"
}

lender=$(bearer sandbox-lender)
firm=$(bearer sandbox-law-firm)

# Asks every half second until the answer holds the text, and shows it. Gives up after 20 seconds.
wait_for() {
  local text=$1 address=$2 answer
  for _ in {1..40}; do
    answer=$(curl -H "$firm" "$address")
    case $answer in *"$text"*) echo "$answer" && return ;; esac
    sleep 0.5
  done
  echo "Still not $text: $answer" >&2
  return 1
}

# The lender opens a workspace for William and Tracey Prynne, and the title is searched. Sets $workspace.
new_matter() {
  workspace=$(curl -X POST "$api/remortgage/workspaces" -H "$lender" -H "$json" -d '{
    "reference": "GUIDE-1",
    "property": {
      "securityAddress": { "number": "83", "street": "Fore Street", "town": "Exeter", "postcode": "EX4 3AN" },
      "titleNumber": "ST500678"
    },
    "parties": [
      { "type": "INDIVIDUAL", "role": "BORROWER", "partyDetails": { "forenames": "William", "surname": "Prynne" },
        "participants": [{ "id": "20000000-0000-4000-8000-000000000001", "role": "CONVEYANCER" }] },
      { "type": "INDIVIDUAL", "role": "BORROWER", "partyDetails": { "forenames": "Tracey", "surname": "Prynne" },
        "participants": [{ "id": "20000000-0000-4000-8000-000000000001", "role": "CONVEYANCER" }] }
    ]
  }' | pick .workspaceId)
  wait_for '"borrowersValidationStatus":"VALID"' "$api/workspaces/$workspace" >/dev/null
}

# The law firm acts for every party.
represent() {
  local party
  for party in $(curl -H "$firm" "$api/workspaces/$workspace" | pick '.parties.map(p => p.partyId).join(" ")'); do
    curl -X POST "$api/workspaces/$workspace/representation" -H "$firm" -H "$json" -d @- >/dev/null <<JSON
{ "partyId": "$party", "representedBy": "PLATFORM_SUBSCRIBER_LAW_FIRM" }
JSON
  done
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

# Somebody else of the law firm approves the case.
approve() {
  curl -X POST "$api/workspaces/$workspace/lodgement-approvals" -H "$firm" -H "$json" -d @- >/dev/null <<JSON
{ "action": "APPROVE", "workspaceId": "$workspace", "approvedBy": "jo.marsh@harbour.example" }
JSON
}
