# Usage: SECRET=… SIGNATURE='sha256=…' sh verify.sh < body
# SIGNATURE is the header X-Webhook-Signature. Only for trying it out: the comparison is not in constant time.
case $SECRET in
  whsec_*)
    encoded=${SECRET#whsec_}
    while [ $((${#encoded} % 4)) -ne 0 ]; do encoded="$encoded="; done
    key=$(printf %s "$encoded" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    ;;
  *) key=$(printf %s "$SECRET" | od -An -v -tx1 | tr -d ' \n') ;;
esac
expected=$(openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/.* //')
[ "$SIGNATURE" = "sha256=$expected" ]
