"""Secrets are put together here from a prefix and a body, so that no file holds one whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.capture.secrets import mask

MIXED = "Qm7xT2vLk9ZrB4nWc8YpD3sHf6JgU5aEtR1oXiNqVbCzKwMy"
LOWER = "q7m2x9k4z8b3n6w1c5p0d7s2h4j8g3f9a6t1r5y2"
HEX = "9f3a1c7e5b2d8046" * 4
DIGITS = "4829173650"

VENDORS = [
    "sk-" + MIXED[:40],
    "sk-proj-" + MIXED[:30] + "_" + MIXED[:12],
    "sk-ant-" + "api03-" + MIXED[:40],
    "sk-or-" + "v1-" + HEX[:48],
    "ghp_" + MIXED[:36],
    "gho_" + MIXED[:36],
    "github_" + "pat_" + MIXED[:22] + "_" + MIXED[:40],
    "glpat-" + MIXED[:20],
    "xoxb-" + DIGITS + "-" + DIGITS + "-" + MIXED[:24],
    "xapp-" + "1-A0" + DIGITS + "-" + HEX[:32],
    "AIza" + MIXED[:35],
    "GOCSPX-" + MIXED[:28],
    "ya29." + MIXED[:40],
    "AKIA" + "QZXW27MNBV5KLPJ3",
    "LTAI" + "5t" + MIXED[:18],
    "AKID" + MIXED[:32],
    "sk_" + "live_" + MIXED[:24],
    "rk_" + "test_" + MIXED[:24],
    "whsec_" + MIXED[:32],
    "SG." + MIXED[:22] + "." + MIXED[:43],
    "SK" + HEX[:32],
    "key-" + HEX[:32],
    "npm_" + MIXED[:36],
    "pypi-" + "AgEIcHlwaS5vcmc" + MIXED,
    "hf_" + MIXED[:34],
    "dop_" + "v1_" + HEX[:64],
    "shpat_" + HEX[:32],
    "sq0atp-" + MIXED[:22],
    "dapi" + HEX[:32],
    "lin_" + "api_" + MIXED[:40],
    "ntn_" + MIXED[:46],
    "figd_" + MIXED[:40],
    "gsk_" + MIXED[:48],
    "xai-" + MIXED[:40],
    "r8_" + MIXED[:37],
    "dp.pt." + MIXED[:43],
    "hvs." + MIXED[:48],
    "glsa_" + MIXED[:32] + "_" + HEX[:8],
    "sbp_" + HEX[:40],
    "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "dckr_" + "pat_" + MIXED[:27],
    "pscale_" + "tkn_" + MIXED[:32],
    "NRAK-" + MIXED[:27].upper(),
    "PMAK-" + HEX[:24] + "-" + HEX[:34],
    "tskey-" + "auth-" + MIXED[:12] + "-" + MIXED[:20],
    DIGITS[:9] + ":AA" + MIXED[:33],
    "eyJ" + MIXED[:17] + ".eyJ" + MIXED[:30] + "." + MIXED[:43],
    "eyJ" + MIXED[:17] + ".eyJ" + MIXED[:30],
    "zephyr_" + "live_" + MIXED[:14],
]


@pytest.mark.parametrize("secret", VENDORS)
@pytest.mark.parametrize("around", ["{}", "用这个 {} 就行", "try {}, please", "`{}`", "a={}&b=1"])
def test_a_vendors_key_is_masked_wherever_it_stands(secret: str, around: str) -> None:
    masked = mask(around.format(secret))
    assert secret[-8:] not in masked
    assert "[secret:" in masked


PLACES = [
    ("API_KEY=" + MIXED[:20], MIXED[:20]),
    ("API_KEY=sk-PLACEHOLDERLIKE", "PLACEHOLDERLIKE"),
    ("export DB_PASSWORD='tuna-9-Salad'", "tuna-9-Salad"),
    ('"password": "wobble42"', "wobble42"),
    ('{\\"password\\": \\"wobble42\\"}', "wobble42"),
    ("<password>wobble42</password>", "wobble42"),
    ("password=swordfish", "swordfish"),
    ("token: " + LOWER[:24], LOWER[:24]),
    ("auth_token = " + MIXED[:24], MIXED[:24]),
    ("client_secret: " + MIXED[:32], MIXED[:32]),
    ("aws_secret_access_key = " + MIXED[:30] + "/x+" + MIXED[:7], MIXED[:30]),
    ("dbPassword: hopper77", "hopper77"),
    ("spring.datasource.password=Grape!77", "Grape!77"),
    ("SECRET_KEY = 'django-" + LOWER[:30] + "'", LOWER[:30]),
    ("Authorization: Bearer " + LOWER[:32], LOWER[:32]),
    ("curl -H 'Authorization: Basic dXNlcjpwYXNz' https://api.example", "dXNlcjpwYXNz"),
    ("Authorization: Token " + HEX[:40], HEX[:40]),
    ("sent with Bearer " + MIXED[:24], MIXED[:24]),
    ("X-Api-Key: " + HEX[:32], HEX[:32]),
    ("Cookie: session=" + MIXED[:24], MIXED[:24]),
    ("curl -u fern:moss-77 https://api.example/x", "moss-77"),
    ("mysql -u root -pKelp4kelp shop", "Kelp4kelp"),
    ("deploy --password Kelp4kelp --force", "Kelp4kelp"),
    ("postgres://fern:moss77@db.example:5432/shop", "moss77"),
    ("mongodb+srv://fern:mo%40ss@cluster.example/db", "mo%40ss"),
    ("redis://:moss77@cache.example:6379/0", "moss77"),
    ("amqp://fern:mo@ss77@queue.example", "mo@ss77"),
    ("jdbc:sqlserver://db.example;user=fern;Password=mossy77;encrypt=true", "mossy77"),
    ("https://api.example/v1?token=" + LOWER[:24] + "&page=2", LOWER[:24]),
    ("https://hooks.slack.com/" + "services/T02ABCD/B03EFGH/" + MIXED[:24], MIXED[:24]),
    ("AccountKey=" + MIXED[:40] + "==;EndpointSuffix=core", MIXED[:40]),
    ("the password is hunter2", "hunter2"),
    ("Password is now Tr0ub4dor, tell nobody", "Tr0ub4dor"),
    ("the wifi password: bluebirdnine", "bluebirdnine"),
    ("password for the staging box is kelp-Forest-9", "kelp-Forest-9"),
    ("I changed the password to mango!88 yesterday", "mango!88"),
    ("passphrase: copper lantern drifting meadow", "lantern drifting"),
    ("kelp4711! is my bank password", "kelp4711!"),
    ("my PIN is 4821", "4821"),
    ("PIN: 4821", "4821"),
    ("verification code: 739201", "739201"),
    ("your one-time code is 739201", "739201"),
    ("door code 2580#", "2580#"),
    ("CVV 317", "317"),
    ("OTP 739201 expires in five minutes", "739201"),
    ("the api key is " + LOWER[:28], LOWER[:28]),
    ("API key (weather service): " + HEX[:32], HEX[:32]),
    ("the token for the build machine is " + MIXED[:24], MIXED[:24]),
    ("seed phrase: " + " ".join(["maple", "river", "stone", "cloud"] * 3), "maple river"),
    ("密码是 hunter2", "hunter2"),
    ("密码是hunter2，别告诉别人", "hunter2"),
    ("密码：Kelp4kelp", "Kelp4kelp"),
    ("支付密码 590318", "590318"),
    ("家里 wifi 密码 moss77moss", "moss77moss"),
    ("服务器密码改成了 Grape!77", "Grape!77"),
    ("密码我设成 grape77 了", "grape77"),
    ("数据库密码（测试环境）：grape77", "grape77"),
    ("账号 lin 密码 grape77", "grape77"),
    ("grape77! 是我的邮箱密码", "grape77!"),
    ("暗号是芝麻糊开门", "芝麻糊开门"),
    ("口令：今晚打老虎", "今晚打老虎"),
    ("验证码 739201，五分钟内有效", "739201"),
    ("验证码是739201", "739201"),
    ("密钥：" + LOWER[:24], LOWER[:24]),
    ("令牌是 " + MIXED[:24], MIXED[:24]),
    ("助记词：" + " ".join(["maple", "river", "stone", "cloud"] * 3), "maple river"),
    ("user fern, pass hunter2", "hunter2"),
    ("my pass is hunter2", "hunter2"),
    ("pw hunter2", "hunter2"),
    ("Password → hunter2", "hunter2"),
    ("| password | hunter2 |", "hunter2"),
    ("**Password:** hunter2", "hunter2"),
    ("the password's hunter2", "hunter2"),
    ("My password? hunter2", "hunter2"),
    ("use hunter2 as the password", "hunter2"),
    ("the password is swordfish and the user is fern", "swordfish"),
    ("my password is dragonfly", "dragonfly"),
    ("password: 'copper lantern 9'", "copper lantern"),
    ("Password:\nhunter2", "hunter2"),
    ("the code for the door is 2580", "2580"),
    ("the door's code is 2580", "2580"),
    ("safe combination 12-34-56", "12-34-56"),
    ("mysql://fern:p#ss/w0rd@db.example/x", "w0rd"),
    ("https://" + LOWER[:32] + "@git.example/x", LOWER[:32]),
    ("AccessKeySecret: " + LOWER[:30], LOWER[:30]),
    ("パスワードはhunter2", "hunter2"),
    ("비밀번호: hunter2", "hunter2"),
    ("mot de passe : Kelp4kelp", "Kelp4kelp"),
    ("密码是六个八", "六个八"),
    ("账号 lin 密码 qwerty", "qwerty"),
    ("验证码：A7K9", "A7K9"),
    ("邮箱授权码是abcdmnopqrstuvwx", "abcdmnop"),
    ("卡号 4111 1111 1111 1111", "1111 1111"),
    ("card 5555555555554444 exp 12/29", "5555555555554444"),
    ("身份证号 11010519491231002X", "11010519491231002X"),
]


@pytest.mark.parametrize(("text", "secret"), PLACES)
def test_a_secret_behind_or_before_its_name_is_masked(text: str, secret: str) -> None:
    masked = mask(text)
    assert secret not in masked
    assert "[secret:" in masked
    assert mask(masked) == masked


CONTROLS = [
    "the approach is risk-based and task-force led",
    "sk-learn is short for scikit-learn, sk-learn-contrib too",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it",
    "key commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "cache key: d41d8cd98f00b204e9800998ecf8427e",
    "request id 550e8400-e29b-41d4-a716-446655440000",
    "key: 550e8400-e29b-41d4-a716-446655440000",
    "version v1.3.2-rc.1 is out, 2.10.4 follows",
    "call me at +86 138 0013 8000",
    "我的电话是 13800138000",
    "订单号 4111111111111111",
    "order 5555555555554444 has shipped",
    "tracking number 1Z999AA10123456784",
    "运单 SF1234567890123",
    "the key to success is patience",
    "my keyboard is a Keychron K2",
    "max_tokens=4096 and temperature=0.2",
    "token: a unit of text that a model reads",
    "the token limit is 8192",
    "tokenizer: bert-base-chinese",
    "primary_key=customer_id",
    "sort key: created_at",
    "the author: Maria Keller",
    "my secretary: Anna Brandt",
    "the secret is to salt the water",
    "secret: nobody knows",
    "it is no secret that I like jazz",
    "password: required",
    "the password is wrong",
    "the password is stored in my head",
    "my password expired yesterday",
    "password manager Bitwarden 2024 is installed",
    "I forgot my password again",
    "1Password is my password manager",
    "password must be at least 12 characters",
    "please reset the password by Friday",
    "PASSWORD=$DB_PASSWORD",
    "PASSWORD=${DB_PASSWORD}",
    "token=<your token>",
    "api_key = os.environ['API_KEY']",
    "password = getpass.getpass()",
    "password: ********",
    "secret=true",
    "Account → Password → Settings",
    "| password | type | length |",
    "password? I forgot it again",
    "the password's fine",
    "my pass was approved",
    "boarding pass A12B seat 4C",
    "we use Bitwarden as the password manager",
    "the code for the module is 300 lines long",
    "https://someone@git.example/x",
    "pass the salt and 4 forks",
    "密码是什么",
    "密码忘了，怎么找回",
    "密码是我的生日",
    "密码错误三次就锁了",
    "密码 8 位以上",
    "密码 2024 年改过",
    "密码本放在书房",
    "口令是什么我忘了",
    "令牌环网络是老技术",
    "验证码收不到",
    "我的车位是 B2-117",
    "会员号 20260318",
    "pin the note to the board",
    "the PIN code was rejected",
    "zip code 94107, area code 0571",
    "error code 50013",
    "postgres://db.example:5432/shop",
    "https://user@example.org/path",
    "https://medium.com/@someone/post-12345",
    "http://localhost:8080/@vite/client",
    "ssh -p 49222 fern@host.example",
    "docker run -p 8080:80 nginx",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "public_key: path/to/id.pub",
    "11010519491231002 is one digit short",
    "110105194912310021 has a wrong checksum",
    "timestamp 1767225600000000",
    "4111 1111 1111 1112 fails the check",
    "学号 202618030412345",
    "ISBN 9787111128069",
    "eyJust a nickname",
    "ghosts and ghp are no tokens",
    "my boarding pass: gate 12",
    "auth: handled by the proxy",
    "login: lin",
    "code review on 2026-03-05",
    "access code of conduct 2024",
    "signature: John Smith",
    "the design pattern test_case_12 in prod",
    "feature flag new-live-search-2",
]


@pytest.mark.parametrize("text", CONTROLS)
def test_what_is_no_secret_stays_byte_for_byte(text: str) -> None:
    assert mask(text) == text


BODY = "\n".join(MIXED[:32] + LOWER[:32] for _ in range(6))


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("cut", ["whole", "no end", "no begin", "escaped"])
def test_a_private_key_is_masked_whole_or_cut(kind: str, cut: str) -> None:
    begin, end = f"-----BEGIN {kind}PRIVATE KEY-----", f"-----END {kind}PRIVATE KEY-----"
    text = {
        "whole": f"here:\n{begin}\n{BODY}\n{end}\nkeep this",
        "no end": f"here:\n{begin}\n{BODY}\n\nkeep this line",
        "no begin": f"here:\n{BODY}\n{end}\nkeep this",
        "escaped": f'here: "{begin}\\n' + BODY.replace("\n", "\\n") + f'\\n{end}\\n" keep this',
    }[cut]
    masked = mask(text)
    assert MIXED[:32] not in masked
    assert LOWER[:32] not in masked
    assert "here:" in masked
    assert "keep this" in masked


def test_scheme_user_and_host_of_an_address_stay() -> None:
    masked = mask("postgres://fern:moss77@db.example:5432/shop")
    assert masked == "postgres://fern:[secret:password]@db.example:5432/shop"


def test_only_the_secret_part_goes() -> None:
    assert mask("家里 wifi 密码 moss77moss，路由器在客厅") == (
        "家里 wifi 密码 [secret:password]，路由器在客厅"
    )


def _pieces() -> st.SearchStrategy[str]:
    names = ["password", "密码", "token", "api_key", "secret:", "PIN", "验证码", "口令", "key"]
    joins = [" ", "=", ": ", " is ", "是", "：", " for the box is ", '": "', *"[]@:", "://"]
    values = ["hunter2", "[secret:password]", "4821", MIXED[:20], HEX[:40], "芝麻开门", "\n"]
    known = st.sampled_from(names + joins + values + VENDORS[:6])
    return st.lists(st.one_of(known, st.text(max_size=4)), max_size=12).map("".join)


@settings(max_examples=100, deadline=None)
@given(_pieces())
def test_masking_twice_changes_nothing(text: str) -> None:
    masked = mask(text)
    assert mask(masked) == masked


HOSTILE = (
    "a", "token=", "password is ", "密码是", "://a:", "eyJ", "-----BEGIN PRIVATE KEY-----\n",
    "4111 ", "sk-a", "Authorization: ", "mysql -p", "1", "key: ", "x.y", "密码", "password for ",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_hostile_text_is_masked_in_linear_time(piece: str) -> None:
    # A pattern that backtracks would not come back from these for hours.
    masked = mask(piece * (60_000 // len(piece)))
    assert mask(masked) == masked


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('{"args": ["--password", "Qe7!mmor"]}', "Qe7!mmor"),
        ("['--api-key','abcdefgh', '-v']", "abcdefgh"),
        ('"[\\"--db-password\\",\\"tangerine\\"]"', "tangerine"),
        ("args:\n  - --client-secret\n  - Yt55-kkq\n", "Yt55-kkq"),
        ("login --otp\n  884213", "884213"),
    ],
)
def test_an_argument_behind_its_flag_is_masked(text: str, secret: str) -> None:
    masked = mask(text)
    assert secret not in masked
    assert "[secret:" in masked
    assert mask(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        '["--max-token", "4096"]',
        '["--password", "$DB_PASSWORD"]',
        '["--password", "--verbose"]',
        "--password\n  the password to use for the login",
        '["--passenger", "Ines Q7"]',
    ],
)
def test_a_flag_without_a_secret_stays(text: str) -> None:
    assert mask(text) == text


def test_of_many_keys_that_are_cut_off_each_is_masked() -> None:
    begin = "-----BEGIN PRIVATE KEY-----"
    assert mask(begin * 3) == "[secret:private-key]" * 3
    text = f"{begin}\nMIIB\n{begin}\nMIIC\nand so on, she said"
    assert mask(text) == "[secret:private-key]" * 2 + "\nand so on, she said"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("口令：芝麻开门88", "芝麻开门88"), ("后台密码是星星河1998，别外传", "星星河1998"),
        ("WiFi密码：海棠依旧2020!", "海棠依旧2020!"),
    ],
)  # fmt: skip
def test_a_password_of_chinese_characters_and_figures(text: str, secret: str) -> None:
    assert secret not in mask(text)
    assert "[secret:password]" in mask(text)


@pytest.mark.parametrize(
    "text", ["密码：请联系管理员", "密码是我家狗的名字", "密码：在抽屉里", "密码：见3楼公告栏"]
)
def test_where_a_password_is_kept_is_no_password(text: str) -> None:
    assert mask(text) == text
