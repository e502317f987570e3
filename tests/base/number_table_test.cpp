#include "roadplane/base/number_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "support/input_error.hpp"
#include "support/temp_dir.hpp"

namespace roadplane {
namespace {

using test::expect_one_line;
using Values = std::vector<double>;

NumberTable csv(const std::string& text) { return decode_csv(text, "a.csv"); }

NumberTable npy(const std::string& bytes, NonFinite non_finite = NonFinite::refuse) {
  return decode_npy(std::as_bytes(std::span(bytes)), "a.npy", non_finite);
}

/// A file as numpy writes it, with any dictionary as its header.
template <class Number>
std::string npy_file(const std::string& dictionary, const std::vector<Number>& numbers,
                     char version = 1) {
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  const auto length = static_cast<std::uint32_t>(dictionary.size());
  bytes.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  bytes += dictionary;
  return bytes.append(reinterpret_cast<const char*>(numbers.data()),
                      numbers.size() * sizeof(Number));
}

std::string dictionary(const std::string& type, const std::string& shape, bool by_columns = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (by_columns ? "True" : "False") +
         ", 'shape': " + shape + ", }   \n";
}

TEST(Csv, ReadsRowsWithAnySeparator) {
  for (const char* text :
       {"1,2,-3\n4,5.5,6e1\n", "1;2;-3\n4;5.5;6e1", "1 2 -3\n 4  5.5\t6e1 \n",
        "1, 2, -3\r\n4, +5.5, 6e1\r\n", "x,y,z\n1,2,-3\n4,5.5,6e1\n",
        "\n# a b\n1,2,-3 # c\n\n4,5.5,6e1", "\xEF\xBB\xBF\"a\";\"b\";\"c\"\n1;2;-3\n4;5.5;6e1\n"}) {
    const NumberTable table = csv(text);
    EXPECT_EQ(table.rows, 2U) << text;
    EXPECT_EQ(table.columns, 3U) << text;
    EXPECT_EQ(table.values, (Values{1, 2, -3, 4, 5.5, 60})) << text;
  }
  EXPECT_EQ(csv("7").values, Values{7});
  EXPECT_EQ(csv("7").columns, 1U);
}

TEST(Csv, NamesTheLineThatIsWrong) {
  const auto refused = [](const std::string& text, const std::string& where,
                          const std::string& found) {
    expect_one_line([&] { csv(text); }, "a.csv" + where, found);
  };
  refused("", "", "none");
  refused("# nothing\n\n", "", "none");
  refused("x,y\n", "", "none");
  refused("1,2\n3\n", ": line 2", "1");
  refused("x,y\n1,2\n\n1,2,3\n", ": line 4", "3");
  refused("x,y,z\n1,2\n", ": line 2", "2");
  refused("1,2\n3,\n", ": line 2, column 2", "nothing");
  refused("1,2\n3,four\n", ": line 2, column 2", "\"four\"");
  refused("1,x\n3,4\n", ": line 1, column 2", "\"x\"");  // half a heading is none
  refused("x,y\na,b\n", ": line 2, column 1", "\"a\"");
  refused("1,2\nnan,4\n", ": line 2, column 1", "\"nan\"");
  refused("1,2\n3,-inf\n", ": line 2, column 2", "\"-inf\"");
  refused("1,2\n3,1e999\n", ": line 2, column 2", "\"1e999\"");
  refused("1;2\n3,5;4\n", ": line 2, column 1", "\"3,5\"");
  refused("1 2\n3 0x10\n", ": line 2, column 2", "\"0x10\"");
}

TEST(Csv, KeepsNanWhereItIsAskedTo) {
  const NumberTable table = decode_csv("1,nan\n", "a.csv", NonFinite::keep);
  EXPECT_TRUE(std::isnan(table(0, 1)));
}

TEST(Npy, ReadsBothTypesOrdersAndHeaders) {
  for (const char version : {1, 2, 3}) {
    const NumberTable rows =
        npy(npy_file<double>(dictionary("<f8", "(2, 3)"), {1, 2, 3, 4, 5, 6}, version));
    EXPECT_EQ(rows.rows, 2U);
    EXPECT_EQ(rows.columns, 3U);
    EXPECT_EQ(rows.values, (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(rows(1, 0), 4);
  }
  const NumberTable by_columns =
      npy(npy_file<float>(dictionary("<f4", "(2, 3)", true), {1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(by_columns.values, (Values{1, 2, 3, 4, 5, 6}));
  const NumberTable vector = npy(npy_file<float>(dictionary("<f4", "(3,)"), {1, 2, 3}));
  EXPECT_EQ(vector.rows, 3U);
  EXPECT_EQ(vector.columns, 1U);
}

TEST(Npy, SaysWhatItCannotRead) {
  const auto refused = [](const std::string& bytes, const std::string& found) {
    expect_one_line([&] { npy(bytes); }, "a.npy", found);
  };
  const Values six{1, 2, 3, 4, 5, 6};
  refused("", "an empty file");
  refused("PK\x03\x04 an npz file", "other content");
  refused("\x93NUMPY", "0");
  refused(npy_file<double>(dictionary("<f8", "(2, 3)"), six, 9), "9");
  refused(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "12 bytes");
  refused(npy_file<double>(dictionary("|O", "(2, 3)"), six), "pickled");
  refused(npy_file<double>(dictionary(">f8", "(2, 3)"), six), "big-endian");
  refused(npy_file<double>(dictionary("<i8", "(2, 3)"), six), "\"<i8\"");
  refused(npy_file<double>(dictionary("<c16", "(3,)"), six), "\"<c16\"");
  refused(
      npy_file<double>("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (6,), }", six),
      "records");
  refused(npy_file<double>(dictionary("<f8", "()"), {1}), "\"()\"");
  refused(npy_file<double>(dictionary("<f8", "(1, 2, 3)"), six), "\"(1, 2, 3)\"");
  refused(npy_file<double>(dictionary("<f8", "(0, 3)"), {}), "none");
  refused(npy_file<double>(dictionary("<f8", "(2, 4)"), six), "48 bytes");
  refused(npy_file<double>(dictionary("<f8", "(2, 2)"), six), "48 bytes");
  refused(npy_file<double>(dictionary("<f8", "(4611686018427387904, 4)"), six), "48 bytes");
  refused(npy_file<double>(dictionary("<f8", "(-2, 3)"), six), "a damaged one");
  refused(npy_file<double>("{'descr': '<f8', 'shape': (2, 3)}", six), "a damaged one");
  refused(npy_file<double>("not a dictionary", six), "a damaged one");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_one_line(
      [&] {
        npy(npy_file<double>(dictionary("<f8", "(2, 2)"), {1, 2, nan, 4}));
      },
      "a.npy: row 2, column 1", "nan");
}

TEST(Npy, KeepsNanWhereItIsAskedTo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string bytes = npy_file<double>(dictionary("<f8", "(2,)"), {1, nan});
  EXPECT_TRUE(std::isnan(npy(bytes, NonFinite::keep)(1, 0)));
}

TEST(NumberTable, IsReadBackBitForBit) {
  const NumberTable table{2, 2, {1.0 / 3, -1e-300, 123456789012345678.0, 0.1}};
  EXPECT_EQ(csv(to_csv(table)).values, table.values);
  const std::string bytes = to_npy(table);
  EXPECT_EQ(npy(bytes).values, table.values);
  EXPECT_EQ((bytes.size() - 4 * sizeof(double)) % 64, 0U);  // aligned as numpy wants it
}

TEST(NumberTable, IsReadByItsExtension) {
  const test::TempDir dir;
  const NumberTable table{2, 1, {1, 2}};
  EXPECT_EQ(read_table(dir.write("a.csv", to_csv(table))).values, table.values);
  EXPECT_EQ(read_table(dir.write("a.npy", to_npy(table))).values, table.values);
  expect_one_line([&] { read_table(dir / "none.csv"); }, (dir / "none.csv").string(), "no such");
  expect_one_line([&] { read_table(dir.write("a.mat", "")); }, (dir / "a.mat").string(),
                  "\".mat\"");
  expect_one_line([&] { read_table(dir.write("b", "")); }, (dir / "b").string(), "no extension");
}

}  // namespace
}  // namespace roadplane
